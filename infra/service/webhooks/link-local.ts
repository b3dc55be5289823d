import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Cloud machines get their credentials from link-local addresses. IPv6 has several notations for an IPv4 address. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16);
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addSubnet('::169.254.0.0', 112, 'ipv6');
linkLocal.addSubnet('::ffff:0:169.254.0.0', 112, 'ipv6');
linkLocal.addSubnet('::5efe:169.254.0.0', 112, 'ipv6');
linkLocal.addSubnet('64:ff9b::169.254.0.0', 112, 'ipv6');
linkLocal.addSubnet('64:ff9b:1::169.254.0.0', 112, 'ipv6');
linkLocal.addSubnet('2002:a9fe::', 32, 'ipv6');
// Machines in AWS also get their credentials from this address, although it is not link-local.
linkLocal.addAddress('fd00:ec2::254', 'ipv6');

/** Says why an endpoint gets no webhooks. */
export const LINK_LOCAL =
  'The address of the endpoint is link-local. The service sends no webhooks there, unless you start it with --allow-link-local.';

function isLinkLocal(address: string): boolean {
  return linkLocal.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Returns whether the host of a URL is a link-local address, in any notation. A name may still lead to one. */
export function hasLinkLocalHost(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) !== 0 && isLinkLocal(host);
}

/** The error of a connection that would go to a link-local address. */
export class LinkLocalAddress extends Error {}

/** Resolves a name for a connection. Fails if the name leads to a link-local address, so the sender never connects to one. */
export const lookupElsewhere: LookupFunction = (name, options, done) => {
  dns.lookup(name, options, (error, found, family) => {
    const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
    if (error === null && addresses.some(isLinkLocal)) done(new LinkLocalAddress(), '', 0);
    else done(error, found, family);
  });
};
