import { z } from 'zod';
import { instantSchema } from '../api/times.ts';
import { MOST_COUNTED } from '../faults/fault-rule.ts';
import type { Database } from '../storage/database.ts';
import type { Pull, PullError } from './pull.ts';

/** Why a scripted attempt fails, and the error that the service reports for it. */
const errors = {
  rate_limit: 'provider_rate_limit_exceeded',
  outage: 'provider_unavailable',
  transport_failure: 'transport_failure',
  resource_contention: 'resource_contention',
  revoked_scope: 'non_retriable_error',
  unexpected_error: 'unexpected_error',
} as const satisfies Record<string, PullError>;

export type Failure = keyof typeof errors;

const attempts = z.int().min(1).max(100).default(1).describe('How many attempts in a row have this outcome.');

const failureSchema = z
  .strictObject({
    kind: z.enum(['rate_limit', 'transport_failure', 'resource_contention', 'revoked_scope', 'unexpected_error']),
    attempts,
    after_chunks: z
      .int()
      .min(0)
      .max(MOST_COUNTED)
      .optional()
      .describe('Chunks before the failure. Default: half of those that remain for `transport_failure`, else none.'),
  })
  .describe('The attempt fails.');

const outageSchema = z
  .strictObject({ kind: z.literal('outage'), from: instantSchema, until: instantSchema })
  .refine(({ from, until }) => Date.parse(from) < Date.parse(until), { message: 'until must be later than from' })
  .describe('From `from` up to but not including `until`, every attempt and every chunk of a running attempt fails.');

const slowSchema = z
  .strictObject({
    kind: z.literal('slow'),
    attempts,
    seconds_per_chunk: z.number().positive().max(86_400).describe('Virtual seconds.'),
  })
  .describe('The attempt succeeds, but takes longer.');
const successSchema = z.strictObject({ kind: z.literal('success'), attempts }).describe('The attempt succeeds.');

export const outcomeSchema = z.discriminatedUnion('kind', [failureSchema, outageSchema, slowSchema, successSchema]);

/** The outcome of attempts, or a time in which they all fail. */
type Outcome = z.output<typeof outcomeSchema>;
type AttemptOutcome = Exclude<Outcome, { kind: 'outage' }>;

/** The course of an attempt that runs. */
export interface Course {
  /** Null if the attempt succeeds. */
  readonly failure: Failure | null;
  /** Chunks that the attempt delivers before it fails. */
  readonly afterChunks: number;
  /** Time that a chunk takes, in milliseconds. Null: as usual. */
  readonly chunkMs: number | null;
}

const succeeding: Course = { failure: null, afterChunks: 0, chunkMs: null };

export function errorOf(failure: Failure): PullError {
  return errors[failure];
}

function isOut(outcomes: readonly Outcome[], now: number): boolean {
  return outcomes.some((one) => one.kind === 'outage' && Date.parse(one.from) <= now && now < Date.parse(one.until));
}

/** Returns the outcome of the next attempt, and the outcomes that are left after it. Outages stay, because they have times. */
function nextOf(outcomes: readonly Outcome[]): { readonly outcome: AttemptOutcome | undefined; readonly left: Outcome[] } {
  const index = outcomes.findIndex(({ kind }) => kind !== 'outage');
  if (index === -1) return { outcome: undefined, left: [...outcomes] };
  const outcome = outcomes[index] as AttemptOutcome;
  const rest = outcome.attempts === 1 ? [] : [{ ...outcome, attempts: outcome.attempts - 1 }];
  return { outcome, left: outcomes.toSpliced(index, 1, ...rest) };
}

/** Returns the course of an attempt that has `chunksLeft` chunks before it. Without an outcome it succeeds. */
function courseOf(outcome: AttemptOutcome | undefined, chunksLeft: number): Course {
  if (outcome === undefined) return succeeding;
  switch (outcome.kind) {
    case 'success':
      return succeeding;
    case 'slow':
      return { ...succeeding, chunkMs: Math.round(outcome.seconds_per_chunk * 1000) };
    default: {
      const usual = outcome.kind === 'transport_failure' ? Math.floor(chunksLeft / 2) : 0;
      return { failure: outcome.kind, afterChunks: outcome.after_chunks ?? usual, chunkMs: null };
    }
  }
}

/** The pulls that a script is about. Null: of all users, of all resources. */
interface Scope {
  readonly provider: string;
  readonly user_id: string | null;
  readonly resource: string | null;
}

interface Script extends Scope {
  readonly outcomes: readonly Outcome[];
}

interface Row extends Scope {
  readonly script_id: number;
  readonly outcomes: string;
  /** Outcomes that the resource of the user still has before it. */
  readonly left: string | null;
}

type Target = Pick<Pull, 'user_id' | 'provider' | 'resource'>;

/**
 * The outcomes of the next attempts. Each resource of each user goes through a script on its own, so one pull does not use up
 * the outcomes of another. If several scripts apply, the outcomes come from the most specific one. A script with a
 * user precedes one without. Among these, a script with a resource precedes one without. Outages count in all of them.
 */
export class PullScripts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the script of a scope. An empty list removes it. */
  set({ provider, user_id, resource, outcomes }: Script): void {
    this.#database.transaction(() => {
      this.#database.run(
        'delete from pull_scripts where provider = ? and user_id is ? and resource is ?',
        provider,
        user_id,
        resource,
      );
      if (outcomes.length === 0) return;
      this.#database.run(
        'insert into pull_scripts (provider, user_id, resource, outcomes) values (?, ?, ?, ?)',
        provider,
        user_id,
        resource,
        JSON.stringify(outcomes),
      );
    });
  }

  all(): Script[] {
    return this.#database
      .all<Row>('select provider, user_id, resource, outcomes from pull_scripts order by script_id')
      .map((row) => ({ ...row, outcomes: parsed(row.outcomes) }));
  }

  isOut(target: Target, now: number): boolean {
    return this.#of(target).some(({ outcomes }) => isOut(parsed(outcomes), now));
  }

  /** Takes the outcome of an attempt that begins from the script, and returns the course of the attempt. */
  draw(target: Target, chunksLeft: number): Course {
    const script = this.#of(target)[0];
    if (script === undefined) return courseOf(undefined, chunksLeft);
    const { outcome, left } = nextOf(parsed(script.left ?? script.outcomes));
    this.#database.run(
      'insert into pull_script_progress values (?, ?, ?, ?) on conflict do update set outcomes = excluded.outcomes',
      script.script_id,
      target.user_id,
      target.resource,
      JSON.stringify(left),
    );
    return courseOf(outcome, chunksLeft);
  }

  /** Returns the scripts about a resource of a user, the most specific first. */
  #of({ user_id, provider, resource }: Target): Row[] {
    return this.#database.all(
      `select s.script_id, s.provider, s.user_id, s.resource, s.outcomes, p.outcomes as left
       from pull_scripts s
       left join pull_script_progress p on p.script_id = s.script_id and p.user_id = ?1 and p.resource = ?3
       where s.provider = ?2 and (s.user_id is null or s.user_id = ?1) and (s.resource is null or s.resource = ?3)
       order by s.user_id is null, s.resource is null`,
      user_id,
      provider,
      resource,
    );
  }
}

const parsed = (outcomes: string): Outcome[] => JSON.parse(outcomes) as Outcome[];
