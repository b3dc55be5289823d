import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { z } from 'zod';

/*
 * This check keeps pages in a browser away from servers without authentication. A page of another site can send requests to
 * this machine; the browser names the site in `Origin`. With DNS rebinding, a page can also read the answers. The name of
 * its site then resolves to this machine, and the browser sends that name in `Host`.
 */

/** Names of this machine that every local server accepts. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A host name or an IP address as in the header `Host`, without a port. */
export const hostNameSchema = z
  .string()
  .transform((name) => (isIP(name) === 6 ? `[${name}]` : name))
  .refine(
    (name) => /^(\[.*\]|[\p{L}\p{N}._-]+)$/u.test(name) && addressOf(name) !== null,
    'needs a host name or an IP address, without a port',
  );

/** Parses the value of `Host`. Null if it is not a host with an optional port. */
function addressOf(host: string): URL | null {
  return /^[^/?#@\\\s]+$/.test(host) ? URL.parse(`http://${host}`) : null;
}

/** Returns a host name without the dot that may end it, because both forms name the same host. */
const nameOf = ({ hostname }: URL): string => hostname.replace(/(?<=[^.])\.$/, '');

const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

/**
 * Returns whether a name is an address on which this connection may have arrived. A connection from the network may have
 * passed address translation (NAT), so any address is accepted there. DNS rebinding needs a name.
 */
function isAddressOf(name: string, localAddress: string | undefined): boolean {
  const address = name.replace(/^\[(.*)\]$/, '$1');
  if (localAddress === undefined || isIP(address) === 0) return false;
  return !isLoopback(localAddress) || address === localAddress;
}

/**
 * Returns why a server without authentication must not answer a request, or undefined if it may. The server then answers 403
 * with this sentence, and changes nothing. `allowedHosts` are the names that the user allows in `Host` and `Origin`.
 *
 * A request without `Host` cannot come from a browser, because browsers always send it. Some probes of load balancers do not.
 */
export function refusalOf(
  { headers: { host, origin }, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  allowedHosts: readonly string[] = [],
): string | undefined {
  const allowed = new Set(allowedHosts.map((name) => addressOf(name)).flatMap((url) => (url === null ? [] : [nameOf(url)])));
  const asked = host === undefined ? undefined : addressOf(host);
  if (asked === null) return sentenceOf('Host');
  if (asked !== undefined) {
    const name = nameOf(asked);
    if (!LOOPBACK.has(name) && !allowed.has(name) && !isAddressOf(name, socket?.localAddress)) return sentenceOf('Host');
  }
  if (origin === undefined) return undefined;
  const page = URL.parse(origin);
  if (page === null || !/^https?:$/.test(page.protocol)) return sentenceOf('Origin');
  // The page came from this server.
  if (asked !== undefined && page.host === asked.host) return undefined;
  return allowed.has(nameOf(page)) ? undefined : sentenceOf('Origin');
}

const wrong = {
  Host: 'does not name this machine',
  Origin: 'names a page of another site',
} as const;

function sentenceOf(header: keyof typeof wrong): string {
  return `The server refused the request, because its header ${header} ${wrong[header]}. If you trust the sender, add the host to allowed_hosts.`;
}
