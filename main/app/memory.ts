import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Log } from '../gateway/ports.ts';

const memorySchema = z.object({
  /** Where the window was last, in screen points. */
  window: z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1), maximised: z.boolean() }).nullable().catch(null),
  /** Whether the user has been told that closing the window leaves the gateway running. */
  toldAboutTray: z.boolean().catch(false),
  /** First steps that really happened (UI.md): the address or a key was copied, a request was answered, the steps were put away. */
  copied: z.boolean().catch(false),
  requestAnswered: z.boolean().catch(false),
  stepsDismissed: z.boolean().catch(false),
});
/** What the app itself remembers between starts; none of it is a setting. */
export type MemoryFacts = z.infer<typeof memorySchema>;

export interface Memory {
  facts(): MemoryFacts;
  /** Takes effect at once and is written at once; a write that fails is logged and the facts stay in force until the end. */
  change(part: Partial<MemoryFacts>): void;
}

/** Opens the app's memory, a small JSON file; what cannot be read counts as never known. */
export function openMemory(file: string, log: Log): Memory {
  let facts = memorySchema.parse(readJson(file));
  return {
    facts: () => facts,
    change(part) {
      const next = { ...facts, ...part };
      if (JSON.stringify(next) === JSON.stringify(facts)) return;
      facts = next;
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(`${file}.new`, JSON.stringify(facts));
        renameSync(`${file}.new`, file);
      } catch (error) {
        log.warn('what the app remembers could not be written', { file, error: String(error) });
      }
    },
  };
}

function readJson(file: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
