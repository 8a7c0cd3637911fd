// What is checked before an upstream is sent to main (UI.md, Upstreams: paste trims, the key is only written; SPEC 2.1, 2.2, 2.4, 2.6).
import { describe, expect, it } from 'vitest';
import { draftOf, faultsOf, fieldOf, newDraft, toNewUpstream, toUpstreamDraft, trimEnvName, trimKey, withPreset } from '../../renderer/upstreams/editor/draft.ts';
import { PRESETS } from '../../shared/presets.ts';
import { UPSTREAM_PRESETS, type Upstream } from '../../shared/upstream.ts';
import { DEMO } from './support/fake-bridge.ts';

const saved: Upstream = { ...DEMO, id: 'a', name: 'A', preset: 'anthropic', baseUrl: 'https://api.anthropic.com', formats: ['anthropic'], credential: { kind: 'stored', hint: 'sk-...abcd' }, proxy: 'http://...@proxy:3128', headers: { 'x-team': 'red' }, models: ['claude-*'], maxInFlight: 4 };

describe('a new upstream', () => {
  it('can start from every preset but the demo', () => {
    expect(PRESETS.map((one) => one.id).sort()).toEqual(UPSTREAM_PRESETS.filter((one) => one !== 'demo').sort());
    for (const { id, baseUrl } of PRESETS) expect(newDraft(id)).toMatchObject({ preset: id, baseUrl });
  });

  it.each([['  sk-1 \n', 'sk-1'], ['"sk-1"', 'sk-1'], ['Bearer sk-1', 'sk-1'], ['ANTHROPIC_API_KEY=sk-1', 'sk-1'], ["export OPENAI_API_KEY='sk-1'", 'sk-1'], ['sk-a=b', 'sk-a=b'], ['', '']])('takes the key out of %j', (pasted, key) => {
    expect(trimKey(pasted)).toBe(key);
  });

  it.each([['$KEY', 'KEY'], ['${KEY}', 'KEY'], ['env:KEY', 'KEY'], [' KEY ', 'KEY']])('takes the name of the variable out of %j', (typed, name) => {
    expect(trimEnvName(typed)).toBe(name);
  });

  it('names every fault at its field', () => {
    expect(faultsOf({ ...newDraft('openai'), name: ' ', baseUrl: 'api.openai.com', formats: [], key: ' ', proxy: 'address', proxyAddress: 'ftp://x', maxInFlight: '1.5', headers: [{ id: 0, name: 'a b', value: '' }] }, null))
      .toEqual({ name: 'name_missing', base_url: 'url_scheme', formats: 'formats_missing', credential: 'key_missing', proxy: 'proxy_address', max_in_flight: 'cap_range', headers: 'header_name' });
    expect(faultsOf({ ...newDraft('openai'), key: 'sk-1' }, null)).toEqual({});
    expect(faultsOf({ ...newDraft('openai'), key: 'sk-…' }, null)).toEqual({ credential: 'key_characters' });
    expect(faultsOf({ ...newDraft('openai'), credential: 'env', envName: '1X' }, null)).toEqual({ credential: 'env_name' });
    expect(faultsOf({ ...newDraft('ollama'), headers: [{ id: 0, name: 'X-A', value: '1' }, { id: 1, name: 'x-a', value: '2' }] }, null)).toEqual({ headers: 'header_twice' });
  });

  it('wants no key for a provider on this machine or a compatible one, and sends none then', () => {
    for (const preset of ['ollama', 'generic']) {
      const draft = { ...newDraft(preset), name: 'x', baseUrl: 'http://127.0.0.1:9' };
      expect(faultsOf(draft, null)).toEqual({});
      expect(toNewUpstream(draft).credential).toEqual({ kind: 'none' });
    }
  });

  it('keeps what was typed when another preset is chosen, and takes the rest from it', () => {
    const typed = { ...newDraft('openai'), key: 'sk-1', name: 'Mine' };
    expect(withPreset(typed, 'anthropic')).toMatchObject({ preset: 'anthropic', key: 'sk-1', name: 'Mine', baseUrl: 'https://api.anthropic.com', formats: ['anthropic'] });
    expect(withPreset(newDraft('openai'), 'ollama')).toMatchObject({ name: 'Ollama', credential: 'none' });
  });
});

describe('a saved upstream', () => {
  it('keeps its key and its masked proxy as long as nothing is typed in their place', () => {
    const draft = draftOf(saved);
    expect(faultsOf(draft, saved)).toEqual({});
    expect(toUpstreamDraft(draft, true)).toEqual({ preset: 'anthropic', name: 'A', base_url: saved.baseUrl, formats: ['anthropic'], credential: null, headers: { 'x-team': 'red' }, proxy: 'http://...@proxy:3128', models: ['claude-*'], max_in_flight: 4, enabled: true });
    expect(toUpstreamDraft({ ...draft, key: ' sk-new ' }, false)).toMatchObject({ credential: { kind: 'stored', value: 'sk-new' }, enabled: false });
  });

  it('changes to another kind of credential', () => {
    expect(toUpstreamDraft({ ...draftOf(saved), credential: 'client' }, true).credential).toEqual({ kind: 'client' });
    expect(toUpstreamDraft({ ...draftOf(saved), credential: 'env', envName: '$K' }, true).credential).toEqual({ kind: 'env', name: 'K' });
  });

  it.each([['base_url', 'base_url'], ['formats[1]', 'formats'], ['credential.value', 'credential'], ['headers.host', 'headers'], ['proxy', 'proxy'], ['', 'form'], ['id', 'form']] as const)('shows a fault at %j at the field %s', (path, field) => {
    expect(fieldOf({ path })).toBe(field);
  });
});
