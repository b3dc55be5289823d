import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { request as secureRequest, Agent as TlsAgent } from 'node:https';
import { Webhook } from 'standardwebhooks';
import type { Send } from './attempts.ts';
import { hasLinkLocalHost, LinkLocalAddress, lookupElsewhere } from './link-local.ts';

/** An endpoint must answer within this time. */
const ANSWER_MS = 15_000;
/** An idle connection is closed after this time, before common servers close it. */
const IDLE_MS = 4_000;

interface SenderOptions {
  /** Whether webhooks may go to link-local addresses. Default: false. */
  readonly allowLinkLocal?: boolean | undefined;
  /** Called after each attempt at an endpoint. `isRefused` says whether the address of the endpoint was refused. */
  readonly checked?: (endpointId: string, isRefused: boolean) => void;
}

/**
 * Returns a sender that sends attempts over HTTP, signed as Svix does, and follows no redirects. Their timestamp is real, whatever
 * the virtual time is, because endpoints refuse timestamps that differ much from their own clock.
 */
export function httpSender({ allowLinkLocal = false, checked = () => {} }: SenderOptions = {}): Send {
  const connections = { keepAlive: true, timeout: IDLE_MS, lookup: allowLinkLocal ? undefined : lookupElsewhere };
  const plain = new PlainAgent(connections);
  const secure = new TlsAgent(connections);
  const post = (url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> =>
    new Promise((resolve, reject) => {
      if (!allowLinkLocal && hasLinkLocalHost(url)) throw new LinkLocalAddress();
      const options = { method: 'POST', headers, signal };
      const answered = (answer: IncomingMessage): void => {
        // The connection can be reused only after the whole answer has been read.
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

/** Sends an attempt over HTTP. Refuses link-local addresses. */
export const sendOverHttp: Send = httpSender();
