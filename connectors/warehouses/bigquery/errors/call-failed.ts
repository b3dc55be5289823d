import { isNamed, type QueryProblem, queryProblem } from '../reading/query-problem.ts';
import { isKnown, reasonOfStatus, reasons } from './reasons.ts';

/** A call or a job that did not succeed. It holds nothing of the service's message but the name of a permission: messages quote values. */
export class CallFailed extends Error {
  /** A reason of BigQuery's own, or of `errors/reasons.ts`. */
  readonly reason: string;
  readonly status: number | undefined;
  /** The permission that is missing, where the service named it. */
  readonly permission: string | undefined;
  /** The job was accepted, and failed. */
  readonly ofJob: boolean;
  /** What is wrong with the statement, in words of ours. */
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

/** What the official client and `fetch` throw, as far as it is looked at. */
interface Thrown {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly name?: unknown;
  readonly errors?: readonly { readonly reason?: unknown; readonly message?: unknown }[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** BigQuery says conflicts of transactions and of statements with the reason of a wrong statement. */
const conflicting = /concurrent update|could not serialize access|transaction is aborted|too many DML statements outstanding/i;

/** Too much for one statement, which the service says with this reason or with that of a wrong statement. */
const tooMuch = /resources exceeded during query|query is too (complex|large)|exceeded resource limits/i;

/** `bigquery.tables.create`, wherever a message has it. */
const permission = /\bbigquery\.[a-z]+\.[a-zA-Z]+\b/;

/** How far a job had come that failed. */
export interface FailedJob {
  /** It had begun a transaction. Its statements had passed a dry run, so they are not wrong. */
  readonly inTransaction: boolean;
}

/** An error as the service writes it, in an answer or in a job's `errorResult`. */
interface AnsweredError {
  readonly reason?: unknown;
  readonly message?: unknown;
  /** The canonical name of an HTTP status, such as ABORTED: with 409 either that or ALREADY_EXISTS. */
  readonly status?: unknown;
}

/**
 * The reason of a conflict. The service documents none for a transaction that another one has aborted: it fails with the
 * reason of a wrong statement. So the reason decides, then the state of the job, and last the message.
 */
function conflictOf(reason: string, message: string, job: FailedJob | undefined): string | undefined {
  if (reason !== 'invalidQuery' && reason !== 'invalid' && reason !== 'jobBackendError') return undefined;
  if (/too many DML/i.test(message)) return 'jobRateLimitExceeded';
  if (conflicting.test(message)) return 'conflict';
  return reason === 'invalidQuery' && job?.inTransaction && !isNamed(message) ? 'transactionFailed' : undefined;
}

/** The reason of an error as the service writes it; `job`: of a job that was accepted and failed. */
export function failureOfAnswer(answer: AnsweredError, status?: number, job?: FailedJob): CallFailed {
  const message = text(answer.message);
  const given = text(answer.reason);
  const unnamed = status === 409 && answer.status === 'ABORTED' ? 'conflict' : reasonOfStatus(status ?? 500);
  let reason = given === '' ? unnamed : given;
  if ((reason === 'invalidQuery' || reason === 'invalid') && tooMuch.test(message)) reason = 'resourcesExceeded';
  reason = conflictOf(reason, message, job) ?? reason;
  // The limit has a reason of its own in some answers, and hides behind a general one in others.
  if (reason !== 'bytesBilledLimitExceeded' && /bytes billed/i.test(message)) reason = 'bytesBilledLimitExceeded';
  // A 403 that names no reason, and says that it is about a limit.
  if (!isKnown(reason) && status === 429) reason = 'rateLimitExceeded';
  return new CallFailed(reason, {
    status,
    ofJob: job !== undefined,
    permission: permission.exec(message)?.[0],
    query: reason === 'invalidQuery' ? queryProblem(message) : undefined,
  });
}

/** What was thrown, as a failure: by the reason that the answer names, else by its status, else as a failed connection. */
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

/** A reason in words. */
export function wordsOf(reason: string): string {
  return isKnown(reason) ? `${reasons[reason].words} (${reason})` : reason;
}
