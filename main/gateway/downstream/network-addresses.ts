import { networkInterfaces } from 'node:os';

/** Addresses under which other machines of the network reach a port of this one, IPv4 first; link-local ones are left out, since they need a zone. */
export function networkUrls(port: number): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []).filter(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address));
  const ofFamily = (family: string): string[] => addresses.filter((one) => one.family === family).map(({ address }) => address);
  return [...ofFamily('IPv4').map((address) => `http://${address}:${port}`), ...ofFamily('IPv6').map((address) => `http://[${address}]:${port}`)];
}
