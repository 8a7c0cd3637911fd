import { joinTarget } from '../../../../shared/base-url.ts';
import type { FormatName } from '../../../../shared/format.ts';
import { maskSecrets } from '../../../../shared/mask.ts';
import { presetFacts } from '../../../../shared/presets.ts';
import type { Upstream } from '../../../../shared/upstream.ts';
import type { ModelsFetched, TestReason, UpstreamTest } from '../../../../shared/upstream-test.ts';
import type { Clock, CredentialLookup } from '../../ports.ts';
import { createPoolKeeper, type PoolKeeper } from '../pools.ts';
import { configuredHeaders, credentialHeader } from '../request-headers.ts';
import { wayTo, type Way, type WayParts } from '../way.ts';
import { ask, type Asked } from './ask.ts';
import { createFindings, type Findings } from './findings.ts';
import { listFormat, listTarget, readModelPage } from './model-list.ts';
import { stopOf, type Stop } from './reasons.ts';

export interface ProbeParts extends WayParts {
  readonly clock: Clock;
  readonly version: string;
  readonly connectTimeoutMs: number;
  /** Trusted besides the system's (PEM). */
  readonly certificates?: readonly string[] | undefined;
}

const ANSWER_MS = 15_000;
const LARGEST_LIST_BYTES = 8 * 1024 * 1024;
const MOST_PAGES = 20;
const LONGEST_DETAIL = 300;

/** Tests the way to an upstream step by step (SPEC 2.7), over connections of its own that are made like all others. Sends nothing that costs. Never rejects. */
export async function testUpstream(parts: ProbeParts, upstream: Upstream, credential: CredentialLookup): Promise<UpstreamTest> {
  const way = wayTo(upstream, parts);
  if (way.kind === 'refused') return testRefused(way.code === 'bad_address.self' ? 'address_self' : way.code === 'bad_address.proxy' ? 'proxy_invalid' : 'address_invalid', way.detail);
  const findings = createFindings(() => parts.clock.now());
  // What is secured first behind an https proxy is the way to that proxy.
  const secureProxy = way.proxy?.protocol === 'https:';
  const keeper = createPoolKeeper({
    connectTimeoutMs: parts.connectTimeoutMs, certificates: parts.certificates ?? [],
    passed: (stage) => { if (stage !== 'tls' || !secureProxy || findings.has('proxy')) findings.pass(stage); },
  });
  try {
    const models = await walk(askerOf(parts, keeper, upstream, credential, way), findings);
    return findings.finish(models, way.proxy?.host ?? null);
  } finally {
    await keeper.close();
  }
}

/** The upstream's own model list (SPEC 2.1). */
export async function fetchModels(parts: ProbeParts, upstream: Upstream, credential: CredentialLookup): Promise<ModelsFetched> {
  const { models, steps } = await testUpstream(parts, upstream, credential);
  if (models !== null) return { ok: true, models };
  const stopped = steps.find(({ state }) => state === 'failed') ?? steps.find(({ step }) => step === 'models');
  return { ok: false, step: stopped?.step ?? 'models', reason: stopped?.reason ?? 'no_list', detail: stopped?.detail ?? null };
}

/** A test that could not even begin: its first step says why. */
export function testRefused(reason: TestReason, detail: string | null): UpstreamTest {
  const findings = createFindings(() => 0);
  findings.fail(reason === 'proxy_invalid' ? 'proxy' : reason.startsWith('credential_') ? 'auth' : 'dns', reason, detail);
  return findings.finish(null, null);
}

/** Asks one upstream. */
interface Asker {
  readonly format: FormatName;
  readonly credential: CredentialLookup;
  /** What only a right key can read; null where the list does. */
  readonly keyCheck: string | null;
  get(target: string): Promise<Asked>;
  /** Why an answer is none; null when it is one. */
  stop(asked: Asked, findings: Findings): Stop | null;
}

function askerOf(parts: ProbeParts, keeper: PoolKeeper, upstream: Upstream, credential: CredentialLookup, way: Extract<Way, { kind: 'way' }>): Asker {
  const format = listFormat(upstream);
  const headers = {
    accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': `Holdfast/${parts.version}`,
    ...(format === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}),
    ...(credential.kind === 'secret' ? credentialHeader(format, upstream, credential.value) : {}),
    ...configuredHeaders(upstream),
  };
  // With and without their scheme: upstreams repeat either.
  const secrets = [...(credential.kind === 'secret' ? [credential.value] : []), ...Object.values(upstream.headers).flatMap((value) => [value, value.replace(/^(?:bearer|basic)\s+/i, '')])];
  return {
    format, credential,
    keyCheck: credential.kind === 'secret' ? presetFacts(upstream.preset)?.keyCheck ?? null : null,
    get: (target) => ask(parts.clock, keeper.pools(way.proxy), { origin: way.url.origin, path: joinTarget(way.baseUrl, target, upstream.preset), method: 'GET', headers, body: [] },
      { timeoutMs: parts.connectTimeoutMs + ANSWER_MS, mostBytes: LARGEST_LIST_BYTES }),
    stop: (asked, findings) => {
      const stop = stopOf(asked, { has: (step) => findings.has(step), proxied: way.proxy !== null, format, utcMs: parts.clock.utc() });
      return stop === null ? null : { ...stop, detail: stop.detail === null ? null : maskSecrets(stop.detail, secrets).replace(/\s+/g, ' ').slice(0, LONGEST_DETAIL) };
    },
  };
}

/** From the connection to the list; the stages of connecting are noted as they pass. Answers the models, null when there is no list. */
async function walk(asker: Asker, findings: Findings): Promise<readonly string[] | null> {
  if (asker.keyCheck !== null) {
    const asked = await asker.get(asker.keyCheck);
    const stop = asker.stop(asked, findings);
    if (stop !== null) return note(stop, findings);
    findings.pass('auth', statusOf(asked));
  }
  const models = new Set<string>();
  let query: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const asked = await asker.get(listTarget(asker.format, query));
    const stop = asker.stop(asked, findings);
    if (stop !== null && stop.connecting) return note(stop, findings);
    if (noteAuth(asker, stop, statusOf(asked), findings) === 'stop') return null;
    if (stop !== null || asked.kind !== 'answer') return note(stop, findings);
    const reading = readModelPage(asked.body);
    if (reading.kind !== 'page') {
      findings.fail('models', reading.kind, null, asked.status);
      return null;
    }
    for (const model of reading.page.models) models.add(model);
    query = reading.page.next;
    if (query === null) break;
  }
  findings.pass('models', 200, models.size === 0 ? 'empty_list' : null);
  return [...models];
}

/** What the answer to the list says of the key. */
function noteAuth({ credential }: Asker, stop: Stop | null, status: number | null, findings: Findings): 'go_on' | 'stop' {
  if (credential.kind === 'unusable') {
    findings.fail('auth', credential.code === 'credential.sealed' ? 'credential_sealed' : credential.code === 'credential.env_missing' ? 'credential_env_missing' : 'credential_missing', null);
    return 'stop';
  }
  if (credential.kind === 'client') {
    findings.skip('auth', 'client_credential');
    // Being turned away without the client's own key says nothing.
    if (stop?.step === 'auth') findings.skip('models', 'client_credential', stop.detail, status);
    return stop?.step === 'auth' ? 'stop' : 'go_on';
  }
  // Who counts and bills a key has recognised it.
  if (stop === null || stop.reason === 'rate_limited' || stop.reason === 'no_balance') findings.pass('auth', status, credential.kind === 'none' ? 'no_key_asked' : null);
  return 'go_on';
}

function note(stop: Stop | null, findings: Findings): null {
  if (stop === null) return null;
  // An upstream may answer well and have no list.
  if (stop.reason === 'no_list') findings.skip('models', stop.reason, stop.detail, stop.status);
  else findings.fail(stop.step, stop.reason, stop.detail, stop.status);
  return null;
}

function statusOf(asked: Asked): number | null {
  return asked.kind === 'answer' ? asked.status : null;
}
