import { z } from 'zod';
import { OUTCOMES } from '../../shared/failure.ts';
import { FORMAT_NAMES } from '../../shared/format.ts';
import type { IpcRequests } from '../../shared/ipc.ts';
import { SETTING_KEYS } from '../../shared/settings.ts';
import { UPSTREAM_PRESETS } from '../../shared/upstream.ts';

const nothing = z.null();
const id = z.string().min(1).max(64);
const exchange = z.strictObject({ id });
const port = z.int().min(1_024).max(65_535);

/** What each request may carry: the page's word is not taken for it (DESIGN 7). */
export const argumentSchemas: { readonly [K in keyof IpcRequests]: z.ZodType<IpcRequests[K]['argument']> } = {
  'app.info': nothing,
  'gateway.state': nothing,
  'gateway.use_port': z.strictObject({ port }),
  'keys.list': nothing,
  'clipboard.copy': z.discriminatedUnion('what', [
    z.strictObject({ what: z.literal('address') }),
    z.strictObject({ what: z.literal('key'), id }),
    z.strictObject({ what: z.literal('text'), text: z.string().max(1_000_000) }),
  ]),
  'settings.all': nothing,
  // The value is judged by the setting's own schema, which explains a refusal better than this one could.
  'settings.set': z.strictObject({ key: z.enum(SETTING_KEYS), value: z.unknown() }),
  'requests.list': z.strictObject({
    outcomes: z.array(z.enum(OUTCOMES)).max(OUTCOMES.length).exactOptional(),
    retriedOnly: z.boolean().exactOptional(),
    before: z.strictObject({ started_at: z.int(), id }).exactOptional(),
    limit: z.int().min(1).max(500),
  }),
  'requests.get': exchange,
  'exchanges.in_flight': nothing,
  'exchanges.retry_now': exchange,
  'exchanges.give_up': exchange,
  'upstreams.list': nothing,
  // Only the shape: what a user may have typed wrong is answered as faults beside the fields.
  'upstreams.add': z.strictObject({
    preset: z.enum(UPSTREAM_PRESETS),
    name: z.string().max(1_000),
    base_url: z.string().max(10_000),
    formats: z.array(z.enum(FORMAT_NAMES)).max(FORMAT_NAMES.length),
    credential: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('stored'), value: z.string().max(100_000) }),
      z.strictObject({ kind: z.literal('env'), name: z.string().max(1_000) }),
      z.strictObject({ kind: z.literal('client') }),
      z.strictObject({ kind: z.literal('none') }),
    ]),
  }),
  'document.import': nothing,
  'first_steps.get': nothing,
  'first_steps.dismiss': nothing,
  'demo.send': nothing,
};

/** Reads the argument of a request. Throws a sentence that names the channel and each fault, never the value: it may hold a secret. */
export function parseArgument<K extends keyof IpcRequests>(channel: K, raw: unknown): IpcRequests[K]['argument'] {
  const parsed = argumentSchemas[channel].safeParse(raw);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.length === 0 ? 'argument' : issue.path.map(String).join('.')}: ${issue.message}`);
  throw new TypeError(`${channel} refused: ${faults.join('; ')}`);
}
