import dns from 'node:dns';
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Send } from './attempts.ts';

/** An endpoint must answer within this time. */
const ANSWER_MS = 15_000;
/** An idle connection is closed after this time, before common servers close it. */
const IDLE_MS = 4_000;

/** Machines of a cloud find their credentials at link-local addresses. IPv6 has several notations of the IPv4 addresses. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16);
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addSubnet('::169.254.0.0', 112, 'ipv6');
linkLocal.addSubnet('64:ff9b::169.254.0.0', 112, 'ipv6');
linkLocal.addSubnet('2002:a9fe::', 32, 'ipv6');

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

class LinkLocalAddress extends Error {}

/** Resolves a name for a connection. Fails if the name leads to a link-local address, so that none is ever connected. */
const lookupElsewhere: LookupFunction = (name, options, done) => {
  dns.lookup(name, options, (error, found, family) => {
    const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
    if (error === null && addresses.some(isLinkLocal)) done(new LinkLocalAddress(), '', 0);
    else done(error, found, family);
  });
};

export interface SenderOptions {
  /** Whether webhooks may go to link-local addresses. Default: false. */
  readonly allowLinkLocal?: boolean | undefined;
  /** Called with the id of an endpoint after each attempt: whether its address was refused. */
  readonly checked?: (endpointId: string, isRefused: boolean) => void;
}

/**
 * Returns a sender that sends attempts over HTTP, signed as Svix does, and follows no redirects. Their timestamp is real, whatever
 * the virtual time is, because endpoints refuse timestamps that differ much from their own clock.
 */
export function httpSender({ allowLinkLocal = false, checked = () => {} }: SenderOptions = {}): Send {
  const connections = { keepAlive: true, timeout: IDLE_MS, ...(allowLinkLocal ? {} : { lookup: lookupElsewhere }) };
  const plain = new PlainAgent(connections);
  const secure = new TlsAgent(connections);
  const post = (url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> =>
    new Promise((resolve, reject) => {
      if (!allowLinkLocal && hasLinkLocalHost(url)) throw new LinkLocalAddress();
      const options = { method: 'POST', headers, signal };
      const answered = (answer: IncomingMessage): void => {
        // The connection is used again after the whole answer.
        answer.on('error', () => {}).resume();
        resolve(answer.statusCode!);
      };
      const request = url.startsWith('https:')
        ? secureRequest(url, { ...options, agent: secure }, answered)
        : plainRequest(url, { ...options, agent: plain }, answered);
      request.on('error', reject).end(body);
    });
  return async ({ endpoint_id, url, headers }, { id, body, keys }, signal) => {
    const now = new Date();
    const signed = {
      ...headers,
      'content-type': 'application/json',
      'svix-id': id,
      'svix-timestamp': String(Math.floor(now.getTime() / 1000)),
      'svix-signature': keys.map((key) => new Webhook(key).sign(id, now, body)).join(' '),
    };
    try {
      const status = await post(url, signed, body, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]));
      checked(endpoint_id, false);
      return status;
    } catch (error) {
      checked(endpoint_id, error instanceof LinkLocalAddress);
      return 0;
    }
  };
}

/** Sends an attempt over HTTP, to no link-local address. */
export const sendOverHttp: Send = httpSender();
