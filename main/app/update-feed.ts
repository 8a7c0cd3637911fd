/** Whether the update metadata of a package name one feed that nobody on the way can change: https, or this very machine. */
export function isTrustedFeed(yaml: string): boolean {
  const urls = [...yaml.matchAll(/^url:[ \t]*(\S+)[ \t]*$/gm)].map(([, text]) => (text ?? '').replace(/^(['"])(.*)\1$/, '$2'));
  const [url] = urls;
  if (urls.length !== 1 || url === undefined || !/^provider:[ \t]*['"]?generic['"]?[ \t]*$/m.test(yaml) || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname));
}
