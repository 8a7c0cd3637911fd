import type { FormatName } from '../../../../shared/format.ts';
import type { WireFormat } from '../wire-format.ts';
import { anthropic } from './anthropic/index.ts';
import { chat } from './chat/index.ts';
import { gemini } from './gemini/index.ts';
import { responses } from './responses/index.ts';

const FORMATS: Readonly<Record<FormatName, WireFormat>> = { anthropic, chat, responses, gemini };

/** The wire format of this name. */
export function formatByName(name: FormatName): WireFormat {
  return FORMATS[name];
}
