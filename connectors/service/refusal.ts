import type { AortaError } from '@aorta/runtime';
import { ServiceError } from './errors.ts';

/** An error response. Its body may contain personal data, so Aorta only searches the body for known text and never logs it. */
export interface Refused {
  readonly host: string;
  /** The operation as the API documents it, without ids: `GET /v2/user`. */
  readonly operation: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Number of bytes to search at the start of an error response's body. */
const LOOKED_AT = 4096;

/** HTTP status codes of transient failures. */
export const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * Returns the error for a response with a status other than 200. A 404 in the API's own error format
 * becomes AORTA-SERVICE-GONE: the requested object no longer exists. A 404 from a proxy or for a wrong URL becomes
 * AORTA-SERVICE-REFUSED, so that existing objects are never recorded as gone.
 */
export function refusalOf(refused: Refused): AortaError {
  const { host, operation, status } = refused;
  if (status === 401) return new ServiceError('AORTA-SERVICE-KEY', { host });
  if (passing.has(status)) return new ServiceError('AORTA-SERVICE-BUSY', { host, operation, status });
  // Until November 2025, the service reported in plain text that an endpoint is in closed beta. Since then, it has used
  // JSON. The status of these responses is not documented.
  if (isClosedBeta(refused)) return new ServiceError('AORTA-SERVICE-NOT-ENABLED', { host, operation });
  if (status === 403) return new ServiceError('AORTA-SERVICE-FORBIDDEN', { host, operation });
  if (status === 404 && isOfService(refused)) return new ServiceError('AORTA-SERVICE-GONE', { host, operation });
  return new ServiceError('AORTA-SERVICE-REFUSED', { host, operation, status });
}

/** Matches the message that the service sends if the team does not have access to an endpoint yet. */
const closedBeta = /closed[ _-]?beta|not (?:been )?enabled for (?:your|this|the) (?:team|org)/i;

/** Whether the answer reports that the endpoint is in closed beta. Some plain-text answers of this kind had status 200. */
export function isClosedBeta({ contentType, body }: Pick<Refused, 'contentType' | 'body'>): boolean {
  return !isHtml(contentType, body) && closedBeta.test(body.toString('utf8', 0, LOOKED_AT));
}

export function isHtml(contentType: string, body: Buffer): boolean {
  return /html/i.test(contentType) || /^\s*<(?:!doctype|html|head|body)/i.test(body.toString('utf8', 0, 512));
}

/**
 * Whether an endpoint of the service sent the error, as an object with a `detail` member. The error that the service's
 * router sends for an unknown path also has `detail`, but does not count.
 */
function isOfService({ body }: Refused): boolean {
  if (body.length > LOOKED_AT) return false;
  try {
    const content: unknown = JSON.parse(body.toString('utf8'));
    return typeof content === 'object' && content !== null && 'detail' in content && content.detail !== 'Not Found';
  } catch {
    return false;
  }
}
