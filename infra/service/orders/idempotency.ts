import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Answer } from '../api/operation.ts';
import type { State } from '../state.ts';

/** A key is kept for 24 hours. */
const KEPT_MS = 86_400_000;
const LONGEST_KEY = 255;

/** The headers of operations that may be repeated without a second effect. */
export const idempotencyHeaders = z.object({
  'x-idempotency-key': z
    .string()
    .min(1)
    .max(LONGEST_KEY)
    .optional()
    .describe('Requests with the same key within 24 hours have one effect and one answer.'),
  'x-idempotency-error': z
    .literal('no-cache')
    .optional()
    .describe('`no-cache`: a request that was refused can be repeated with the same key.'),
});

type Headers = z.output<typeof idempotencyHeaders>;

interface Request {
  readonly team: string;
  /** Id of the operation. */
  readonly operation: string;
  readonly headers: Headers;
  /** The contents of the request. The same key with another request is refused. */
  readonly asked: object;
}

interface Kept {
  readonly request_hash: string;
  readonly status: number;
  readonly body: string;
}

const OTHER_REQUEST: Answer = {
  status: 409,
  body: { detail: 'X-Idempotency-Key was used for another request within 24 hours. Use a new key.' },
};

/** Answers to requests with an idempotency key, which are given again if the request is repeated. */
export class IdempotentAnswers {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /**
   * Returns the answer that a request with this key got, or else handles the request. An answer that names a user is lost with
   * the user.
   */
  answer(
    { team, operation, headers, asked }: Request,
    handle: () => { readonly answer: Answer; readonly user: string | null },
  ): Answer {
    const key = headers['x-idempotency-key'];
    if (key === undefined) return handle().answer;
    const { database, clock } = this.#state;
    return database.transaction(() => {
      database.run('delete from idempotent_answers where created_at <= ?', clock.now() - KEPT_MS);
      const hash = createHash('sha256').update(JSON.stringify(asked)).digest('hex');
      const kept = database.get<Kept>(
        'select request_hash, status, body from idempotent_answers where team_id = ? and operation = ? and key = ?',
        ...[team, operation, key],
      );
      if (kept !== undefined)
        return kept.request_hash === hash ? { status: kept.status, body: JSON.parse(kept.body) as unknown } : OTHER_REQUEST;
      const { answer, user } = handle();
      if (answer.status < 300 || headers['x-idempotency-error'] === undefined)
        database.run(
          'insert into idempotent_answers values (?, ?, ?, ?, ?, ?, ?, ?)',
          ...[team, operation, key, user, clock.now(), hash, answer.status, JSON.stringify(answer.body)],
        );
      return answer;
    });
  }
}
