// What is checked before a new upstream is sent to main (UI.md, Upstreams: paste trims; SPEC 2.2).
import { describe, expect, it } from 'vitest';
import { draftOf, faultsOf, fieldOf, toNewUpstream, trimKey } from '../../renderer/overview/upstream-draft.ts';
import { PRESET_FORMS } from '../../renderer/overview/upstream-presets.ts';
import { UPSTREAM_PRESETS } from '../../shared/upstream.ts';

describe('a new upstream', () => {
  it('can start from every preset but the demo', () => {
    expect(PRESET_FORMS.map((form) => form.id).sort()).toEqual(UPSTREAM_PRESETS.filter((one) => one !== 'demo').sort());
  });

  it.each([['  sk-1 \n', 'sk-1'], ['"sk-1"', 'sk-1'], ['Bearer sk-1', 'sk-1'], ['ANTHROPIC_API_KEY=sk-1', 'sk-1'], ["export OPENAI_API_KEY='sk-1'", 'sk-1'], ['sk-a=b', 'sk-a=b'], ['', '']])('takes the key out of %j', (pasted, key) => {
    expect(trimKey(pasted)).toBe(key);
  });

  it('names every fault at its field', () => {
    expect(faultsOf({ preset: 'openai', name: ' ', baseUrl: 'api.openai.com', formats: [], key: ' ' })).toEqual({ name: 'name_missing', base_url: 'url_scheme', formats: 'formats_missing', key: 'key_missing' });
    expect(faultsOf(draftOf('openai', 'sk-1'))).toEqual({});
  });

  it('wants no key for a provider on this machine, and sends none then', () => {
    const draft = draftOf('ollama', '');
    expect(faultsOf(draft)).toEqual({});
    expect(toNewUpstream(draft).credential).toEqual({ kind: 'none' });
  });

  it('keeps a key that was typed when another preset is chosen', () => {
    expect(draftOf('openai', 'sk-1').key).toBe('sk-1');
  });

  it.each([['upstreams[0].base_url', 'base_url'], ['base_url', 'base_url'], ['formats[1]', 'formats'], ['credential.value', 'key'], ['id', 'form']] as const)('puts a fault at %s to the field %s', (path, field) => {
    expect(fieldOf({ path, message: '' })).toBe(field);
  });
});
