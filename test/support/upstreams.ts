import type { Upstream } from '../../shared/upstream.ts';

/** An enabled upstream that speaks every format and takes any model; fields can be replaced. */
export function upstreamOf(part: Partial<Upstream> = {}): Upstream {
  const id = part.id ?? 'a';
  return {
    id, name: id.toUpperCase(), preset: 'generic', baseUrl: `http://127.0.0.1:1/${id}`, formats: ['anthropic', 'chat', 'responses', 'gemini'],
    credential: { kind: 'stored', hint: 'sk-...test' }, headers: {}, proxy: 'none', models: [], maxInFlight: 0, enabled: true, ...part,
  };
}
