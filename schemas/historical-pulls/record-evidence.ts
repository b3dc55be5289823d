import { isObject } from '../events/fields.ts';
import type { Connection, HistoricalCompletion, HistoricalPullTrack, IntrospectionPoll } from '../streams/streams.generated.ts';
import {
  compareEvidence,
  daysTold,
  type Evidence,
  hasRange,
  type ReportedEvidence,
  sameRange,
  sameSecond,
  saysTheSame,
} from './evidence.ts';
import type { PullHistory } from './history.ts';
import { stateTold } from './state.ts';

/** Revision of the fold. Raise it when you fix the fold, so that rebuilt tracks replace earlier ones. */
const REVISION = 3;

/** A piece of evidence and its subject: one resource, or all resources of a connection if `resource` is null. */
export interface SubjectEvidence {
  readonly provider: string;
  readonly resource: string | null;
  readonly evidence: Evidence;
}

export function connectionEvidence(record: Connection): readonly SubjectEvidence[] {
  const { provider } = record;
  const at = record.receipt.received_at;
  if (record.event.event_type === 'provider.connection.error')
    return [{ provider, resource: null, evidence: { kind: 'connection_error', at } }];
  // The retired `provider.connection.updated` does not show whether a pull follows.
  if (record.event.event_type !== 'provider.connection.created') return [];
  const available = Object.entries(availability(record.resource_availability)).flatMap(([resource, of]): SubjectEvidence[] => {
    const status = (of as { status?: unknown } | null)?.status;
    // An unknown status gives no evidence.
    const kind = status === 'available' ? 'expected' : status === 'unavailable' ? 'unavailable' : undefined;
    return kind === undefined ? [] : [{ provider, resource, evidence: { kind, at } }];
  });
  return [{ provider, resource: null, evidence: { kind: 'connected', at } }, ...available];
}

/** Parses the availability per resource. Returns an empty object if the JSON is not an object. */
function availability(json: string | null): Readonly<Record<string, unknown>> {
  const parsed: unknown = json === null ? null : JSON.parse(json);
  return isObject(parsed) ? parsed : {};
}

export function completionEvidence({
  provider,
  resource,
  receipt,
  range_start,
  range_end,
  is_final,
}: HistoricalCompletion): SubjectEvidence {
  const kind = is_final === false ? 'completed_partly' : 'completed';
  return { provider, resource, evidence: { kind, at: receipt.received_at, rangeStart: range_start, rangeEnd: range_end } };
}

/** Extracts the evidence from an introspection answer. `at` is the evidence time. */
export function pollEvidence({ pulls, not_pulled }: IntrospectionPoll, at: number): readonly SubjectEvidence[] {
  return [
    ...pulls.map((pull): SubjectEvidence => {
      const { provider, resource, status, days_with_data, error_details } = pull;
      const times = { scheduledAt: pull.scheduled_at, startedAt: pull.started_at, endedAt: pull.ended_at };
      const range = { rangeStart: pull.range_start, rangeEnd: pull.range_end };
      const rest = { daysWithData: days_with_data, errorDetails: error_details };
      // The service's support needs a trace id only for a pull that has not succeeded. Most pulls succeed, so their trace
      // ids would only fill the tracker's memory.
      const trace = pull.trace_id === null || stateTold(status) === 'success' ? {} : { traceId: pull.trace_id };
      return { provider, resource, evidence: { kind: 'told', at, status, ...times, ...range, ...rest, ...trace } };
    }),
    ...not_pulled.map(
      ({ provider, resource }): SubjectEvidence => ({ provider, resource, evidence: { kind: 'not_pulled', at } }),
    ),
  ];
}

/**
 * Inserts a piece of evidence into the sorted evidence of its resource. Returns true if it is new. A repetition and an
 * answer equivalent to the previous answer are not new, so the evidence does not grow with every poll. Folding the kept
 * evidence gives the same pulls as folding all evidence, provided that the answers about a user arrive in order.
 */
export function addEvidence(evidence: Evidence[], piece: Evidence): boolean {
  let place = evidence.length;
  for (; place > 0; place--) {
    const order = compareEvidence(evidence[place - 1]!, piece);
    if (order === 0) return false;
    if (order < 0) break;
  }
  if (piece.kind === 'not_pulled') return learnNotPulled(evidence, place, piece);
  if (piece.kind === 'told') return learnTold(evidence, place, piece);
  evidence.splice(place, 0, piece);
  return true;
}

/**
 * Inserts an answer unless it repeats the previous answer about the same pull. An answer that only reports more days with data
 * replaces the previous one of that kind, so the evidence does not grow with the days.
 */
function learnTold(evidence: Evidence[], place: number, piece: ReportedEvidence): boolean {
  const known = lastTold(evidence, place, piece);
  const repeats = known !== undefined && saysTheSame(known, piece);
  if (repeats && daysTold(piece) <= mostDays(evidence, place, piece)) return false;
  const first = repeats && known === evidence[place - 1] ? lastTold(evidence, place - 1, known) : undefined;
  const replaces = first !== undefined && saysTheSame(first, known!) && daysTold(known!) > mostDays(evidence, place - 1, known!);
  evidence.splice(replaces ? place - 1 : place, replaces ? 1 : 0, piece);
  return true;
}

/**
 * Keeps only the first and the last of consecutive answers that list the resource as not pulled. Both are needed, because
 * the event of a connection between them may arrive later. A repeated answer is new only after a new connection.
 */
function learnNotPulled(evidence: Evidence[], place: number, piece: Evidence): boolean {
  let before = place - 1;
  let connected = false;
  for (; before >= 0; before--) {
    const { kind } = evidence[before]!;
    if (kind === 'told' || kind === 'not_pulled') break;
    connected ||= kind === 'expected';
  }
  const again = evidence[before]?.kind === 'not_pulled';
  const replaces = again && before === place - 1 && evidence[before - 1]?.kind === 'not_pulled';
  evidence.splice(replaces ? before : place, replaces ? 1 : 0, piece);
  return !again || connected;
}

/** Returns the previous answer about the same pull; undefined if there is none, or if a "not pulled" answer followed it. */
function lastTold(evidence: readonly Evidence[], place: number, piece: ReportedEvidence): ReportedEvidence | undefined {
  const isOfSamePull = ofSamePull(evidence, place, piece);
  let takenBack = false;
  for (let index = place - 1; index >= 0; index--) {
    const before = evidence[index]!;
    if (before.kind === 'told') {
      if (isOfSamePull(before)) return before;
      takenBack = true;
    } else if (before.kind === 'not_pulled' && !takenBack) return undefined;
  }
  return undefined;
}

/** Returns the highest number of days with data in the answers before `place` about the same pull. */
function mostDays(evidence: readonly Evidence[], place: number, piece: ReportedEvidence): number {
  const isOfSamePull = ofSamePull(evidence, place, piece);
  let most = 0;
  for (let index = 0; index < place; index++) {
    const before = evidence[index]!;
    if (before.kind === 'told' && isOfSamePull(before)) most = Math.max(most, daysTold(before));
  }
  return most;
}

/**
 * Returns a function that tells whether an answer before `place` is about the same pull as `piece`. Pulls that were scheduled in
 * the same second differ in their range. An answer without a range is about the first of them, whose range is the first reported.
 */
function ofSamePull(evidence: readonly Evidence[], place: number, piece: ReportedEvidence): (one: ReportedEvidence) => boolean {
  const isOfSameSecond = (one: Evidence): one is ReportedEvidence =>
    one.kind === 'told' && sameSecond(one.scheduledAt, piece.scheduledAt);
  const firstRanged = evidence.slice(0, place).filter(isOfSameSecond).find(hasRange) ?? piece;
  const rangeOf = (one: ReportedEvidence) => (hasRange(one) ? one : firstRanged);
  return (one) => isOfSameSecond(one) && sameRange(rangeOf(one), rangeOf(piece));
}

export interface TrackedPull {
  readonly userId: string;
  readonly provider: string;
  readonly resource: string;
}

/**
 * Returns the record of a track, or undefined if there is no pull. Its offset increases with each piece of evidence, even if
 * the piece replaces one that had fewer days with data.
 */
export function trackRecord(
  { userId, provider, resource }: TrackedPull,
  evidence: readonly Evidence[],
  { pulls, changes }: PullHistory,
  stalledAfterS: number | null = null,
): HistoricalPullTrack | undefined {
  if (pulls.length === 0) return undefined;
  return {
    receipt: {
      source: 'historical-pulls',
      partition: '',
      offset: evidence.reduce((sum, piece) => sum + 1 + (piece.kind === 'told' ? daysTold(piece) : 0), 0),
      received_at: evidence.at(-1)!.at,
      delivery_id: null,
      header_facts: 0,
      body_bytes: 0,
      body_crc32: 0,
      arrived_at: null,
    },
    reader: REVISION,
    user_id: userId,
    provider,
    resource,
    stalled_after_s: stalledAfterS,
    pulls: pulls.map((pull, index) => ({
      is_present: index === pulls.length - 1,
      scheduled_at: pull.scheduledAt,
      range_start: pull.rangeStart,
      range_end: pull.rangeEnd,
      state: pull.state,
      since: pull.since,
      progressed_at: pull.progressedAt,
      retrying_since: pull.retryingSince,
      status: pull.status,
      error_details: pull.errorDetails,
      error_class: pull.errorClass,
      expected_at: pull.expectedAt,
      started_at: pull.startedAt,
      ended_at: pull.endedAt,
      days_with_data: pull.daysWithData,
      provisional: pull.provisional,
      perhaps_completed_at: pull.perhapsCompletedAt,
      announced_at: pull.announcedAt,
      broken_at: pull.brokenAt,
      not_pulled_at: pull.notPulledAt,
      contradicted_at: pull.contradictedAt,
      knows_retrying: pull.knowsRetrying,
      reports: pull.reports,
      service_since: pull.serviceSince,
      service_retrying_since: pull.serviceRetryingSince,
      trace_id: pull.traceId,
    })),
    changes: changes.map((change) => ({
      scheduled_at: change.scheduledAt,
      range_start: change.rangeStart,
      range_end: change.rangeEnd,
      changed_at: change.at,
      from_state: change.from,
      to_state: change.to,
      event: change.by,
      status: change.status,
      error_details: change.errorDetails,
    })),
    evidence: evidence.map((piece) => {
      const told = piece.kind === 'told' ? piece : undefined;
      const ranged = 'rangeStart' in piece ? piece : undefined;
      return {
        evidence_at: piece.at,
        kind: piece.kind,
        scheduled_at: told?.scheduledAt ?? null,
        range_start: ranged?.rangeStart ?? null,
        range_end: ranged?.rangeEnd ?? null,
        status: told?.status ?? null,
        started_at: told?.startedAt ?? null,
        ended_at: told?.endedAt ?? null,
        days_with_data: told?.daysWithData ?? null,
        error_details: told?.errorDetails ?? null,
      };
    }),
  };
}
