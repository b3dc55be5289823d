import { stateTold } from './state.ts';

/**
 * What is heard of the historical pulls of one user, provider and resource. `at` is the evidence time, in microseconds
 * since 1970: of an event its receipt, of a poll the moment in which the service answered. Other instants are the
 * service's own, in microseconds too.
 */
export type Evidence = ConnectionEvidence | ExpectationEvidence | CompletionEvidence | ToldEvidence;

/** The connection to the provider was made (or made again), or broke: holds for all of its resources. */
interface ConnectionEvidence {
  readonly kind: 'connected' | 'connection_error';
  readonly at: number;
}

/** The new connection gives the resource, or does not; or introspection lists it among those that are not pulled. */
interface ExpectationEvidence {
  readonly kind: 'expected' | 'unavailable' | 'not_pulled';
  readonly at: number;
}

/** The event that a pull has ended well; `partly` where the service says that more of it follows. */
export interface CompletionEvidence {
  readonly kind: 'completed' | 'completed_partly';
  readonly at: number;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
}

/** What introspection tells of a pull. */
export interface ToldEvidence {
  readonly kind: 'told';
  readonly at: number;
  /** As the service spells it. */
  readonly status: string;
  readonly scheduledAt: number | null;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly daysWithData: number | null;
  readonly errorDetails: string | null;
  /** What the service's support asks for. It is no news by itself. */
  readonly traceId?: string | null;
}

type EvidenceKind = Evidence['kind'];

/** Evidence of the same moment stands in this order: what opens a pull before what ends it. */
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

/** A total order over evidence, by evidence time first; 0 only for evidence that says the same. */
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

/** Whether two instants are of the same whole second: as ranges and times of scheduling are compared. */
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

/**
 * Whether two answers say the same of a pull. The days with data count once the service calls the pull ended: while it is
 * in motion they grow with every poll.
 */
export function saysTheSame(a: ToldEvidence, b: ToldEvidence): boolean {
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

/** Whether the service calls the pull ended. `endedAt` says nothing of it: a pull that will be tried again has one, too. */
function hasEnded({ status }: ToldEvidence): boolean {
  const state = stateTold(status);
  return state === 'success' || state === 'failure';
}
