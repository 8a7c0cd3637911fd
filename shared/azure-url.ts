// Azure OpenAI has two shapes. `/openai/v1/...` is that of OpenAI; the older, dated one puts the deployment into the path of some
// operations (`/openai/deployments/<name>/chat/completions`) and always wants `?api-version=`.

const DATED = /^\d{4}-\d{2}-\d{2}(-preview)?$/;
// The last dated version that is no preview; for addresses of a deployment that are pasted without one.
const LAST_DATED_VERSION = '2024-10-21';
const BY_DEPLOYMENT = /^\/(chat\/completions|completions|embeddings)(?=$|[/?])/;

/**
 * Brings an Azure address into one form: `.../openai` for the undated shape, `.../openai?api-version=V` for the dated one,
 * `.../openai/deployments/<name>?api-version=V` for one deployment. Takes what the portal shows: the bare resource, or the address of an operation.
 * Null when its query is not one that Azure has.
 */
export function normaliseAzureUrl(parsed: URL): string | null {
  const names = [...parsed.searchParams.keys()];
  if (parsed.hash !== '' || names.some((name) => name !== 'api-version') || names.length > 1) return null;
  const path = parsed.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '');
  const parts = /^(.*?)\/openai(?:\/deployments\/([^/]+))?(?:\/.*)?$/.exec(path);
  const before = parts?.[1] ?? path.replace(/\/v1$/, '');
  const deployment = parts?.[2];
  const given = parsed.searchParams.get('api-version') ?? '';
  if (given !== '' && !/^[A-Za-z0-9.-]{1,40}$/.test(given)) return null;
  const version = deployment !== undefined && !DATED.test(given) ? LAST_DATED_VERSION : given;
  const query = version === '' || version === 'v1' ? '' : `?api-version=${version}`;
  return `${parsed.protocol}//${parsed.host}${before}/openai${deployment === undefined ? '' : `/deployments/${deployment}`}${query}`;
}

/** Path and query at an Azure resource for a target like `/v1/chat/completions`; `model` names the deployment. `baseUrl` is normalised. */
export function azureTarget(baseUrl: string, target: string, model: string | null): string {
  const { pathname, searchParams } = new URL(baseUrl);
  const version = searchParams.get('api-version');
  const operation = target.replace(/^\/v1(?=[/?]|$)/, '');
  if (version === null || !DATED.test(version)) return withVersion(`${pathname}/v1${operation}`, version);
  const [root = pathname, fixed] = pathname.split(/\/deployments\//);
  const deployment = fixed ?? (model === null ? null : encodeURIComponent(model));
  return withVersion(deployment !== null && BY_DEPLOYMENT.test(operation) ? `${root}/deployments/${deployment}${operation}` : `${root}${operation}`, version);
}

function withVersion(target: string, version: string | null): string {
  return version === null ? target : `${target}${target.includes('?') ? '&' : '?'}api-version=${version}`;
}
