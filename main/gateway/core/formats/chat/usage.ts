import type { Usage } from '../../wire-format.ts';
import { openAiUsage } from '../openai.ts';

/** Reads the `usage` of a chunk or an answer; null when it tells nothing. */
export function chatUsage(value: unknown): Usage | null {
  return openAiUsage(value, { input: 'prompt_tokens', output: 'completion_tokens', inputDetails: 'prompt_tokens_details', outputDetails: 'completion_tokens_details' });
}
