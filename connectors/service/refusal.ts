import type { AortaError } from '@aorta/runtime';
import { ServiceError } from './errors.ts';

/** What came back, as far as it tells why there is no answer. The body's text is looked at and never passed on: it may name people. */
export interface Refused {
  readonly host: string;
  /** The operation in the API's own words, without ids: `GET /v2/user`. */
  readonly operation: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** The part of an error's body that is looked at. */
const LOOKED_AT = 4096;

/** Statuses that may be another one next time. */
export const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * What a status other than 200 means. AORTA-SERVICE-GONE says that the service itself knows no such thing (any more):
 * only its own form of 404 says that. A 404 of something before it, or under a wrong address, is AORTA-SERVICE-REFUSED,
 * so that nothing is settled as gone that is there.
 */
export function refusalOf(refused: Refused): AortaError {
  const { host, operation, status } = refused;
  if (status === 401) return new ServiceError('AORTA-SERVICE-KEY', { host });
  if (passing.has(status)) return new ServiceError('AORTA-SERVICE-BUSY', { host, operation, status });
  // Until November 2025 such an answer was plain text, since then it is JSON; its status is not documented.
  if (isClosedBeta(refused)) return new ServiceError('AORTA-SERVICE-NOT-ENABLED', { host, operation });
  if (status === 403) return new ServiceError('AORTA-SERVICE-FORBIDDEN', { host, operation });
  if (status === 404 && isOfService(refused)) return new ServiceError('AORTA-SERVICE-GONE', { host, operation });
  return new ServiceError('AORTA-SERVICE-REFUSED', { host, operation, status });
}

/** Words by which an answer says that the team may not use an endpoint yet. */
const closedBeta = /closed[ _-]?beta|not (?:been )?enabled for (?:your|this|the) (?:team|org)/i;

/** Whether the answer says so; asked of answers with status 200, too, which plain text has had. */
export function isClosedBeta({ contentType, body }: Pick<Refused, 'contentType' | 'body'>): boolean {
  return !isHtml(contentType, body) && closedBeta.test(body.toString('utf8', 0, LOOKED_AT));
}

/** Whether the answer is a page for people. */
export function isHtml(contentType: string, body: Buffer): boolean {
  return /html/i.test(contentType) || /^\s*<(?:!doctype|html|head|body)/i.test(body.toString('utf8', 0, 512));
}

/** The service's own errors are objects with `detail`, other than that of its router, which knows no such path. */
function isOfService({ body }: Refused): boolean {
  if (body.length > LOOKED_AT) return false;
  try {
    const content: unknown = JSON.parse(body.toString('utf8'));
    return typeof content === 'object' && content !== null && 'detail' in content && content.detail !== 'Not Found';
  } catch {
    return false;
  }
}
