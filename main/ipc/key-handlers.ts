import { keyNameSchema, MOST_ENTRIES } from '../../shared/document.ts';
import type { KeySaved } from '../../shared/key.ts';
import type { GatewayKeys } from '../store/keys.ts';
import type { Handlers } from './serve.ts';

type KeyChannels = 'keys.list' | 'keys.add' | 'keys.rename' | 'keys.set_disabled' | 'keys.rotate' | 'keys.remove';

/** What the window does with gateway keys; none of the answers holds one (SPEC 2.3). */
export function createKeyHandlers(keys: Omit<GatewayKeys, 'check' | 'flush'>): Pick<Handlers, KeyChannels> {
  const saved = (id: string): KeySaved => {
    const key = keys.list().find((one) => one.id === id);
    return key === undefined ? { ok: false, reason: 'gone' } : { ok: true, key };
  };
  const edited = async (id: string, edit: Promise<void>): Promise<KeySaved> => {
    await edit;
    return saved(id);
  };
  // The log tells keys apart by their names alone.
  const nameFault = (name: string, own: string | null): 'name_refused' | 'name_taken' | null => {
    if (!keyNameSchema.safeParse(name).success) return 'name_refused';
    return keys.list().some((key) => key.id !== own && key.name === name.trim()) ? 'name_taken' : null;
  };
  return {
    'keys.list': () => keys.list(),
    'keys.add': async ({ name }) => {
      const reason = nameFault(name, null) ?? (keys.list().length >= MOST_ENTRIES.keys ? 'too_many' : null);
      return reason === null ? saved((await keys.add(name.trim())).id) : { ok: false, reason };
    },
    'keys.rename': async ({ id, name }) => {
      const reason = nameFault(name, id);
      return reason === null ? edited(id, keys.rename(id, name.trim())) : { ok: false, reason };
    },
    'keys.set_disabled': ({ id, disabled }) => edited(id, keys.setDisabled(id, disabled)),
    'keys.rotate': ({ id }) => edited(id, keys.rotate(id)),
    'keys.remove': async ({ id }) => {
      const there = saved(id).ok;
      await keys.remove(id);
      return there;
    },
  };
}
