import { hasCome } from '../versions/changes.ts';

const CLOSED_BETA = 'This endpoint is in closed beta, and your team is not enabled for it';

/** An answer as it is sent, with its body as text. */
export interface SentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Returns the answer to a team that is not enabled for an operation in closed beta, at a date of the interface (ms since 1970). */
export function closedBetaAnswer(at: number): SentAnswer {
  return hasCome('closed betas in JSON', at)
    ? {
        ...{ status: 403, headers: { 'content-type': 'application/json; charset=utf-8' } },
        body: JSON.stringify({ detail: CLOSED_BETA }),
      }
    : { status: 403, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: CLOSED_BETA };
}
