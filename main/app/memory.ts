import { z } from 'zod';
import type { Log } from '../gateway/ports.ts';
import type { Store } from '../store/store.ts';

const memorySchema = z.object({
  /** Where the window was last, in screen points. */
  window: z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1), maximised: z.boolean() }).nullable().catch(null),
  /** Whether the user has been told that closing the window leaves the gateway running. */
  toldAboutTray: z.boolean().catch(false),
  /** First steps that really happened (UI.md): the address or a key was copied, a request was answered, the steps were put away. */
  copied: z.boolean().catch(false),
  requestAnswered: z.boolean().catch(false),
  stepsDismissed: z.boolean().catch(false),
  /** When the feed of updates was last read, ms since 1970, and the version that the user was told of last. */
  updatesCheckedAt: z.int().nullable().catch(null),
  updateTold: z.string().max(100).nullable().catch(null),
});
/** What the app itself remembers between starts; none of it is a setting. */
export type MemoryFacts = z.infer<typeof memorySchema>;

export interface Memory {
  facts(): MemoryFacts;
  /** Takes effect at once. A write that fails is logged, and the facts stay in force until the end. */
  change(part: Partial<MemoryFacts>): void;
}

const KEY = 'app';

/** Opens the app's memory in the store; what cannot be read counts as never known. */
export function openMemory(state: Store['appState'], log: Log): Memory {
  let facts = memorySchema.catch(() => memorySchema.parse({})).parse(state.get(KEY));
  return {
    facts: () => facts,
    change(part) {
      const next = { ...facts, ...part };
      if (JSON.stringify(next) === JSON.stringify(facts)) return;
      facts = next;
      void state.set(KEY, facts).catch((error: unknown) => { log.warn('what the app remembers could not be written', { error: String(error) }); });
    },
  };
}
