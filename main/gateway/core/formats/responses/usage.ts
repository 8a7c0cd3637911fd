import type { Usage } from '../../wire-format.ts';
import { openAiUsage } from '../openai.ts';

/** Reads the `usage` of a response object; null when it tells nothing. */
export function responsesUsage(value: unknown): Usage | null {
  return openAiUsage(value, { input: 'input_tokens', output: 'output_tokens', inputDetails: 'input_tokens_details', outputDetails: 'output_tokens_details' });
}
