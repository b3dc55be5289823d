import { CHECK, LIST } from '../../warehouses/query-hints.ts';
import { isKnown, reasonOfStatus, reasons } from './reasons.ts';

/** Messages about a statement that exceeds BigQuery's resources. Some come with the same reason as an invalid statement. */
const tooMuch = /resources exceeded during query|query is too (complex|large)|exceeded resource limits/i;

const permission = /\bbigquery\.[a-z]+\.[a-zA-Z]+\b/;

/** The printable description of a failed query. BigQuery's messages quote values, so only names from the query itself are used. */
interface QueryProblem {
  readonly problem: string;
  readonly hint: string;
}

type Describe = (match: RegExpExecArray) => QueryProblem;

const patterns: readonly (readonly [RegExp, Describe])[] = [
  [
    /Syntax error: Unexpected (?:keyword|identifier|end of script|string literal|integer literal)?.*?(?: at \[(\d+:\d+)\])/,
    ([, at]) => ({ problem: `syntax error at ${at}`, hint: CHECK }),
  ],
  [/Syntax error/, () => ({ problem: 'syntax error', hint: CHECK })],
  [/Unrecognized name: (`?[A-Za-z_][\w.]*`?)/, ([, name]) => ({ problem: `there is no column ${name}`, hint: LIST })],
  [/Name ([A-Za-z_]\w*) not found inside/, ([, name]) => ({ problem: `there is no column ${name}`, hint: LIST })],
  [
    /Function not found: ([A-Za-z_]\w*)/,
    ([, name]) => ({ problem: `there is no function ${name}`, hint: 'Use a function that BigQuery has.' }),
  ],
  [
    /No matching signature for (function|operator) ([A-Z_]+|[-+*/<>=!]+)/,
    ([, kind, name]) => ({ problem: `${kind} ${name} does not accept these argument types`, hint: 'Cast its arguments.' }),
  ],
  [
    /neither grouped nor aggregated/,
    () => ({ problem: 'a column is neither grouped nor aggregated', hint: 'Add it to GROUP BY.' }),
  ],
  [
    /Column name ([A-Za-z_]\w*) is ambiguous/,
    ([, name]) => ({ problem: `${name} is a column of more than one table`, hint: 'Qualify it with the table name.' }),
  ],
  [
    /without a filter over column/,
    () => ({ problem: 'the table requires a filter on its partition column', hint: 'Add a condition on that column.' }),
  ],
];

const nothing: QueryProblem = { problem: 'the statement is not valid', hint: CHECK };

/** Whether a message matches a known problem with a statement. */
const isNamed = (message: string): boolean => patterns.some(([pattern]) => pattern.test(message));

function queryProblem(message: string): QueryProblem {
  for (const [pattern, describe] of patterns) {
    const match = pattern.exec(message);
    if (match !== null) return describe(match);
  }
  return nothing;
}

/** A failed call or job. It keeps no part of BigQuery's message except the name of a permission, because messages quote values. */
export class CallFailed extends Error {
  /** A reason from BigQuery, or one that `errors/reasons.ts` adds. */
  readonly reason: string;
  readonly status: number | undefined;
  /** The missing permission, if BigQuery named it. */
  readonly permission: string | undefined;
  /** Whether a job was accepted and then failed. */
  readonly ofJob: boolean;
  /** Our own description of an error in a statement. */
  readonly query: QueryProblem | undefined;

  constructor(
    reason: string,
    facts: {
      status?: number | undefined;
      permission?: string | undefined;
      ofJob?: boolean;
      query?: QueryProblem | undefined;
    } = {},
  ) {
    super(reason);
    this.name = 'CallFailed';
    this.reason = reason;
    this.status = facts.status;
    this.permission = facts.permission;
    this.ofJob = facts.ofJob ?? false;
    this.query = facts.query;
  }
}

/** Members of errors thrown by the official client and by `fetch`. */
interface Thrown {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly name?: unknown;
  readonly errors?: readonly { readonly reason?: unknown; readonly message?: unknown }[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Messages about conflicts between transactions or statements. BigQuery gives the same reason as for an invalid statement. */
const conflicting = /concurrent update|could not serialize access|transaction is aborted|too many DML statements outstanding/i;

export interface FailedJob {
  /** Whether the job had begun a transaction. If so, its statements passed a dry run and are valid. */
  readonly inTransaction: boolean;
}

/** An error in a response from BigQuery or in a job's `errorResult`. */
interface AnsweredError {
  readonly reason?: unknown;
  readonly message?: unknown;
  /** Canonical name of the HTTP status, such as ABORTED. A 409 means either ABORTED or ALREADY_EXISTS. */
  readonly status?: unknown;
}

/**
 * Returns a more specific reason if the failure was caused by a conflict, otherwise undefined. If another transaction aborted
 * this one, BigQuery only reports an invalid statement. So the message and the state of the job are checked as well.
 */
function conflictOf(reason: string, message: string, job: FailedJob | undefined): string | undefined {
  if (reason !== 'invalidQuery' && reason !== 'invalid' && reason !== 'jobBackendError') return undefined;
  if (/too many DML/i.test(message)) return 'jobRateLimitExceeded';
  if (conflicting.test(message)) return 'conflict';
  return reason === 'invalidQuery' && job?.inTransaction && !isNamed(message) ? 'transactionFailed' : undefined;
}

/** Converts an error response to a `CallFailed`. `job` is set if the job was accepted and then failed. */
export function failureOfAnswer(answer: AnsweredError, status?: number, job?: FailedJob): CallFailed {
  const message = text(answer.message);
  const given = text(answer.reason);
  const unnamed = status === 409 && answer.status === 'ABORTED' ? 'conflict' : reasonOfStatus(status ?? 500);
  let reason = given === '' ? unnamed : given;
  if ((reason === 'invalidQuery' || reason === 'invalid') && tooMuch.test(message)) reason = 'resourcesExceeded';
  reason = conflictOf(reason, message, job) ?? reason;
  // Some responses have a specific reason for the limit on billed bytes, others only a general one.
  if (reason !== 'bytesBilledLimitExceeded' && /bytes billed/i.test(message)) reason = 'bytesBilledLimitExceeded';
  if (!isKnown(reason) && status === 429) reason = 'rateLimitExceeded';
  return new CallFailed(reason, {
    status,
    ofJob: job !== undefined,
    permission: permission.exec(message)?.[0],
    query: reason === 'invalidQuery' ? queryProblem(message) : undefined,
  });
}

/**
 * Converts a thrown error to a `CallFailed`. The reason in the response decides, or the status if there is no reason. An error
 * with neither means that there was no usable response.
 */
export function failureOf(thrown: unknown): CallFailed {
  if (thrown instanceof CallFailed) return thrown;
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Thrown;
  const status = typeof error.code === 'number' ? error.code : typeof error.status === 'number' ? error.status : undefined;
  const [first] = error.errors ?? [];
  const message = text(error.message);
  if (first?.reason !== undefined) return failureOfAnswer({ reason: first.reason, message: first.message ?? message }, status);
  if (status !== undefined && status >= 400) return failureOfAnswer({ message }, status);
  const name = text(error.name);
  if (name === 'TimeoutError' || name === 'AbortError' || error.code === 'ETIMEDOUT') return new CallFailed('unanswered');
  if (name === 'SyntaxError' || /invalid json response/i.test(message)) return new CallFailed('garbled');
  return new CallFailed('unreachable');
}

export function wordsOf(reason: string): string {
  return isKnown(reason) ? `${reasons[reason].words} (${reason})` : reason;
}
