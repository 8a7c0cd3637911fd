// SPEC 1.7, 2.1: the header of the key and the path, provider by provider.
import { describe, expect, test } from 'vitest';
import { normaliseBaseUrl } from '../../../shared/base-url.ts';
import type { FormatName } from '../../../shared/format.ts';
import { PRESETS, keyHeader } from '../../../shared/presets.ts';
import { UPSTREAM_PRESETS, type UpstreamPreset } from '../../../shared/upstream.ts';
import { WHOLE_ANSWER } from '../../support/anthropic-stream.ts';
import { anArrival, anOrder, anUpstream } from '../../support/attempts.ts';
import { useUpstreamRig } from '../../support/upstream-rig.ts';

const rig = useUpstreamRig();

async function sent(preset: UpstreamPreset, format: FormatName, path: string, target: string, model: string | null = null) {
  rig.upstream.otherwise((call) => call.answer(200, {}, WHOLE_ANSWER));
  const base = normaliseBaseUrl(`${rig.upstream.url}${path}`, preset);
  if (!base.ok) throw new Error(base.reason);
  const arrival = anArrival({ streamed: false, format, target: () => target });
  await rig.edge.open(anOrder(base.url, { arrival, model, upstream: anUpstream(base.url, { preset }) }));
  return rig.upstream.call(0);
}

describe('Azure OpenAI', () => {
  test('gets its key as api-key, at the undated path', async () => {
    const call = await sent('azure_openai', 'chat', '', '/v1/chat/completions');
    expect([call.header('api-key'), call.header('authorization')]).toEqual(['sk-secret-value', undefined]);
    expect(call.target).toBe('/openai/v1/chat/completions');
  });
  test('is asked for the deployment of the candidate when its address has a date', async () => {
    const call = await sent('azure_openai', 'chat', '/openai?api-version=2024-10-21', '/v1/chat/completions', 'my-deployment');
    expect(call.target).toBe('/openai/deployments/my-deployment/chat/completions?api-version=2024-10-21');
  });
  test('is asked for the deployment that has the client\'s name when no other is given', async () => {
    const call = await sent('azure_openai', 'chat', '/openai?api-version=2024-10-21', '/v1/chat/completions');
    expect(call.target).toBe('/openai/deployments/m-test/chat/completions?api-version=2024-10-21');
  });
});

test.each([
  ['anthropic', 'anthropic', 'x-api-key', 'sk-secret-value'], ['openai', 'responses', 'authorization', 'Bearer sk-secret-value'], ['gemini', 'gemini', 'x-goog-api-key', 'sk-secret-value'],
  ['openrouter', 'anthropic', 'authorization', 'Bearer sk-secret-value'], ['vllm', 'anthropic', 'authorization', 'Bearer sk-secret-value'], ['generic', 'anthropic', 'x-api-key', 'sk-secret-value'],
] as const)('%s in the format %s gets its key as %s', async (preset, format, header, value) => {
  const call = await sent(preset, format, '', '/v1/x');
  const others = (['x-api-key', 'authorization', 'x-goog-api-key', 'api-key'] as const).filter((name) => name !== header);
  expect(call.header(header)).toBe(value);
  expect(others.map((name) => call.header(name))).toEqual([undefined, undefined, undefined]);
});

describe('presets', () => {
  test('there is one for every preset but the demo, each with its address as it is saved', () => {
    expect(PRESETS.map((preset) => preset.id).sort()).toEqual(UPSTREAM_PRESETS.filter((id) => id !== 'demo').sort());
    for (const { id, baseUrl, example, formats, alsoSpeaks } of PRESETS) {
      if (baseUrl !== '') expect(normaliseBaseUrl(baseUrl, id), id).toEqual({ ok: true, url: baseUrl });
      else expect(normaliseBaseUrl(example ?? '', id).ok, id).toBe(true);
      expect(new Set([...formats, ...alsoSpeaks]).size, id).toBe(formats.length + alsoSpeaks.length);
    }
  });
  test('a key of a provider on the internet never goes in clear', () => {
    for (const { id, baseUrl, wantsKey } of PRESETS) if (wantsKey && baseUrl !== '') expect(baseUrl, id).toMatch(/^https:/);
  });
  test('the demo has the headers of its formats', () => { expect(keyHeader('demo', 'chat')).toBe('authorization'); });
});
