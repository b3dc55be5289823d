import { stateTold } from './state.ts';

/** Limit on days with data, so that a sum of them stays a safe integer whatever the service reports. */
const MOST_DAYS = 100_000;

/**
 * A piece of evidence about the historical pulls of one user, provider and resource. `at` is the time at which an event
 * was received or the service answered a poll. The other instants come from the service. All instants are in
 * microseconds since 1970.
 */
export type Evidence = ConnectionEvidence | ExpectationEvidence | CompletionEvidence | ReportedEvidence;

/** The user connected the provider (or connected it again), or the connection broke. Applies to all resources of the provider. */
interface ConnectionEvidence {
  readonly kind: 'connected' | 'connection_error';
  readonly at: number;
}

/** A new connection provides the resource (`expected`) or does not (`unavailable`), or introspection lists it as not pulled. */
interface ExpectationEvidence {
  readonly kind: 'expected' | 'unavailable' | 'not_pulled';
  readonly at: number;
}

/** An event reports that a pull has succeeded. With `completed_partly`, the service reports that more data follows. */
export interface CompletionEvidence {
  readonly kind: 'completed' | 'completed_partly';
  readonly at: number;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
}

export interface ReportedEvidence {
  readonly kind: 'told';
  readonly at: number;
  /** The status as the service spells it. */
  readonly status: string;
  readonly scheduledAt: number | null;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly daysWithData: number | null;
  readonly errorDetails: string | null;
  /** Id to quote in requests to the service's support team. An answer that differs only in this id is not new evidence. */
  readonly traceId?: string | null;
}

type EvidenceKind = Evidence['kind'];

/** Order of evidence with the same time: evidence that opens a pull comes before evidence that ends it. */
const rank: Readonly<Record<EvidenceKind, number>> = {
  connected: 0,
  expected: 1,
  unavailable: 2,
  not_pulled: 3,
  told: 4,
  completed_partly: 5,
  completed: 6,
  connection_error: 7,
};

/** Compares evidence in a total order, by evidence time first. Returns 0 only if both have the same content. */
export function compareEvidence(a: Evidence, b: Evidence): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.kind !== b.kind) return rank[a.kind] - rank[b.kind];
  const [left, right] = [content(a), content(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function content(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'told':
      return JSON.stringify([
        evidence.scheduledAt,
        evidence.rangeStart,
        evidence.rangeEnd,
        evidence.status,
        evidence.startedAt,
        evidence.endedAt,
        evidence.daysWithData,
        evidence.errorDetails,
        evidence.traceId ?? null,
      ]);
    case 'completed':
    case 'completed_partly':
      return JSON.stringify([evidence.rangeStart, evidence.rangeEnd]);
    default:
      return '';
  }
}

/** Whether two instants are in the same second. Ranges and scheduling times are compared this way. */
export function sameSecond(a: number | null, b: number | null): boolean {
  return a === b || (a !== null && b !== null && Math.floor(a / 1_000_000) === Math.floor(b / 1_000_000));
}

interface Ranged {
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
}

export const hasRange = ({ rangeStart, rangeEnd }: Ranged): boolean => rangeStart !== null || rangeEnd !== null;

export const sameRange = (a: Ranged, b: Ranged): boolean =>
  sameSecond(a.rangeStart, b.rangeStart) && sameSecond(a.rangeEnd, b.rangeEnd);

/** Returns the number of days with data that an answer reports, as a measure of progress. */
export const daysTold = ({ daysWithData }: ReportedEvidence): number => Math.min(Math.max(daysWithData ?? 0, 0), MOST_DAYS);

/**
 * Whether two answers about a pull are equivalent. The number of days with data is compared only after the pull has
 * ended. Until then it may grow with every poll, so the caller decides by {@link daysTold} whether an answer is progress.
 */
export function saysTheSame(a: ReportedEvidence, b: ReportedEvidence): boolean {
  return (
    a.status === b.status &&
    a.errorDetails === b.errorDetails &&
    sameSecond(a.scheduledAt, b.scheduledAt) &&
    sameRange(a, b) &&
    sameSecond(a.startedAt, b.startedAt) &&
    sameSecond(a.endedAt, b.endedAt) &&
    (a.daysWithData === b.daysWithData || !hasEnded(a))
  );
}

/** True if the status reports the end of the pull. `endedAt` cannot show this, because a pull that will be retried has it too. */
function hasEnded({ status }: ReportedEvidence): boolean {
  const state = stateTold(status);
  return state === 'success' || state === 'failure';
}
