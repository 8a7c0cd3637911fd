import { z } from 'zod';
import { CLEARABLE } from '../../shared/contents.ts';
import { EXPORT_FORMATS } from '../../shared/export.ts';
import { FIGURE_SPANS } from '../../shared/figures.ts';
import { FORMAT_NAMES } from '../../shared/format.ts';
import type { IpcRequests } from '../../shared/ipc.ts';
import { priceSchema } from '../../shared/prices.ts';
import { retryRulesSchema, SETTING_KEYS } from '../../shared/settings.ts';
import { dataArguments } from './data-arguments.ts';
import { dryRun, ids, newUpstream, removal, routeDraft, upstreamDraft, upstreamProbe } from './edit-arguments.ts';
import { logCount, logFilter, logQuery } from './log-arguments.ts';

const nothing = z.null();
const id = z.string().min(1).max(64);
const one = z.strictObject({ id });
// What is wrong with a name is said beside its field.
const keyName = z.string().max(10_000);
const port = z.int().min(1_024).max(65_535);

/** What each request may carry: the page's word is not taken for it (DESIGN 7). */
export const argumentSchemas: { readonly [K in keyof IpcRequests]: z.ZodType<IpcRequests[K]['argument']> } = {
  'app.info': nothing,
  'gateway.state': nothing,
  'gateway.use_port': z.strictObject({ port }),
  'gateway.set_accepting': z.strictObject({ accepting: z.boolean() }),
  'keys.list': nothing,
  'keys.add': z.strictObject({ name: keyName }),
  'keys.rename': z.strictObject({ id, name: keyName }),
  'keys.set_disabled': z.strictObject({ id, disabled: z.boolean() }),
  'keys.rotate': one,
  'keys.remove': one,
  'clipboard.copy': z.discriminatedUnion('what', [
    z.strictObject({ what: z.literal('address') }),
    z.strictObject({ what: z.literal('key'), id }),
    z.strictObject({ what: z.literal('text'), text: z.string().max(1_000_000) }),
  ]),
  'settings.all': nothing,
  // The value is judged by the setting's own schema, which explains a refusal better than this one could.
  'settings.set': z.strictObject({ key: z.enum(SETTING_KEYS), value: z.unknown() }),
  'rules.try': z.strictObject({
    rules: retryRulesSchema, upstream: id.nullable(), format: z.enum(FORMAT_NAMES), status: z.int().min(200).max(599).nullable(), body: z.string().max(1_000_000),
  }),
  'requests.list': logQuery,
  'requests.get': one,
  'requests.contents': one,
  'logs.clear': z.strictObject({ what: z.enum(CLEARABLE) }),
  'requests.count': logCount,
  'requests.facets': nothing,
  'figures.get': z.strictObject({ span: z.enum(FIGURE_SPANS) }),
  'log.status': nothing,
  'requests.export': z.strictObject({ filter: logFilter, as: z.enum(EXPORT_FORMATS) }),
  'requests.export_cancel': nothing,
  'exchanges.in_flight': nothing,
  'exchanges.retry_now': one,
  'exchanges.give_up': one,
  'upstreams.list': nothing,
  'upstreams.add': newUpstream,
  'upstreams.update': z.strictObject({ id, upstream: upstreamDraft }),
  'upstreams.remove': one,
  'upstreams.restore': removal,
  'upstreams.reorder': ids,
  'upstreams.set_enabled': z.strictObject({ id, enabled: z.boolean() }),
  'upstreams.used_by': one,
  'upstreams.models': upstreamProbe,
  'upstreams.test': upstreamProbe,
  'routes.list': nothing,
  'routes.save': routeDraft,
  'routes.remove': one,
  'routes.restore': removal,
  'routes.reorder': ids,
  'routes.preview': z.strictObject({ pattern: z.string().max(1_000), id: id.nullable() }),
  'routes.dry_run': dryRun,
  'prices.list': nothing,
  'prices.set': z.strictObject({ price: priceSchema, replaces: z.string().max(200).nullable() }),
  'prices.remove': z.strictObject({ model: z.string().max(200) }),
  'health.list': nothing,
  'health.reset': one,
  ...dataArguments,
  'updates.state': nothing,
  'updates.check': nothing,
  'updates.download': nothing,
  'updates.install': nothing,
  'notices.take': nothing,
  'app.seal_secrets': nothing,
  'app.login_start': nothing,
  'first_steps.get': nothing,
  'first_steps.dismiss': nothing,
  'demo.send': nothing,
  'demo.set': z.strictObject({ shown: z.boolean() }),
  'link.take': nothing,
};

/** Reads the argument of a request. Throws a sentence that names the channel and each fault, never the value: it may hold a secret. */
export function parseArgument<K extends keyof IpcRequests>(channel: K, raw: unknown): IpcRequests[K]['argument'] {
  const parsed = argumentSchemas[channel].safeParse(raw);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.length === 0 ? 'argument' : issue.path.map(String).join('.')}: ${issue.message}`);
  throw new TypeError(`${channel} refused: ${faults.join('; ')}`);
}
