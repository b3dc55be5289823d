import { type AssignedEvidence, attributeEvidence, type PullEvidence, SLACK } from './attribution.ts';
import { compareEvidence, type Evidence } from './evidence.ts';
import { RETRYING_SINCE, reports } from './providers.ts';
import { type ErrorClass, errorClass, type PullState } from './state.ts';
import { type Cell, type PullEvent, transitions } from './transitions.ts';

/** The state of one historical pull, derived from all its evidence. Instants are in microseconds since 1970. */
export interface Pull {
  /** When the service scheduled the pull. This time identifies the pull. Null if introspection has not reported the pull. */
  readonly scheduledAt: number | null;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
  readonly state: PullState;
  readonly since: number;
  /**
   * When the pull last made progress: it was first reported, more days had data, a part of the data arrived, or the outcome
   * changed. A change between open states is not progress.
   */
  readonly progressedAt: number;
  /**
   * When the first temporary problem was reported. Later attempts do not reset this time. Null if there was no problem or
   * the pull has ended.
   */
  readonly retryingSince: number | null;
  /**
   * Status of the last answer that changed or confirmed the state, as the service spells it. Null if the state comes from
   * an event.
   */
  readonly status: string | null;
  readonly errorDetails: string | null;
  readonly errorClass: ErrorClass | null;
  readonly expectedAt: number | null;
  readonly startedAt: number | null;
  /** End of the last attempt. The pull itself may continue. */
  readonly endedAt: number | null;
  readonly daysWithData: number | null;
  /** True if the success comes from a completion event and introspection has not confirmed it. */
  readonly provisional: boolean;
  /** When a completion event arrived that may belong to this pull or to a different one. */
  readonly perhapsCompletedAt: number | null;
  /**
   * When a completion event announced the end of the pull. Set only for providers for which the service sends this event
   * before there is any data.
   */
  readonly announcedAt: number | null;
  /** When the connection broke, if the user has not connected the provider again. */
  readonly brokenAt: number | null;
  /**
   * When a connection event first reported the resource as unavailable or, for the current pull, introspection first
   * listed it as not pulled.
   */
  readonly notPulledAt: number | null;
  /**
   * When introspection last listed the resource as not pulled. Null if introspection's last answer reports a pull, or if
   * there is no answer.
   */
  readonly lastNotPulledAt: number | null;
  /** When the service reported a different outcome after the pull had ended. */
  readonly contradictedAt: number | null;
  /**
   * False if the connection is from before 9 May 2025. For such connections, a `failure` may be temporary. Null if it is
   * unknown when the user connected the provider.
   */
  readonly knowsRetrying: boolean | null;
  /** False if the service never reports on pulls of this provider and resource. */
  readonly reports: boolean;
  /** When the pull entered the state, according to the service's own timestamps. Null if no answer contains this time. */
  readonly serviceSince: number | null;
  /** End of the first attempt with a temporary problem, according to the service's own timestamps. */
  readonly serviceRetryingSince: number | null;
  /** Id to quote in requests to the service's support team. Null if the pull has succeeded or the service gave no id. */
  readonly traceId: string | null;
}

/** A change in a pull's state or error details. */
interface PullChange {
  readonly scheduledAt: number | null;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
  readonly at: number;
  /** Null for the first change of a pull. */
  readonly from: PullState | null;
  readonly to: PullState;
  readonly by: PullEvent;
  readonly status: string | null;
  readonly errorDetails: string | null;
}

/** The historical pulls of one user, provider and resource, in order. The last one is the current pull. */
export interface PullHistory {
  readonly pulls: readonly Pull[];
  /** The changes of all pulls, in the order of evidence. */
  readonly changes: readonly PullChange[];
}

/**
 * Derives the pulls of one user, provider and resource from their evidence. Sorts the evidence and removes repetitions
 * first, so the order of arrival does not matter.
 */
export function foldPulls(provider: string, resource: string, evidence: readonly Evidence[]): PullHistory {
  const sorted = inOrder(evidence);
  const reported = reports(provider, resource);
  const changes: PullChange[] = [];
  const pulls = attributeEvidence(provider, sorted).map((heard) =>
    foldPull(heard, reported, knowsRetrying(heard, sorted), changes),
  );
  if (pulls.length > 1) changes.sort((a, b) => a.at - b.at);
  const present = pulls.at(-1);
  const notPulled = lastAnswersNotPulled(sorted);
  if (present !== undefined && notPulled !== undefined) {
    present.notPulledAt = notPulled.first;
    present.lastNotPulledAt = notPulled.last;
  }
  return { pulls, changes };
}

/** Returns the evidence sorted and without repetitions. Returns the same array if it is already sorted and has no repetitions. */
function inOrder(evidence: readonly Evidence[]): readonly Evidence[] {
  let ordered = true;
  for (let index = 1; ordered && index < evidence.length; index++)
    ordered = compareEvidence(evidence[index - 1]!, evidence[index]!) < 0;
  if (ordered) return evidence;
  return evidence
    .toSorted(compareEvidence)
    .filter((one, index, sorted) => index === 0 || compareEvidence(sorted[index - 1]!, one) !== 0);
}

/** Returns the times of the first and last "not pulled" answer since the last report of a pull, or undefined if there is none. */
function lastAnswersNotPulled(sorted: readonly Evidence[]): { first: number; last: number } | undefined {
  let run: { first: number; last: number } | undefined;
  for (const { kind, at } of sorted) {
    if (kind === 'told') run = undefined;
    else if (kind === 'not_pulled') run = { first: run?.first ?? at, last: at };
  }
  return run;
}

/**
 * Returns whether the service reports `retrying` for the connection of a pull. This is the last connection before the
 * pull. If no connection is known, returns false for a pull from before 9 May 2025 and null for any other pull.
 */
function knowsRetrying({ scheduledAt, expectedAt }: PullEvidence, sorted: readonly Evidence[]): boolean | null {
  const planned = scheduledAt ?? expectedAt;
  const connected = sorted.findLast(({ kind, at }) => kind === 'connected' && (planned === null || at <= planned + SLACK));
  if (connected !== undefined) return connected.at >= RETRYING_SINCE;
  return planned !== null && planned < RETRYING_SINCE ? false : null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: follows the rules of SPEC.md one by one
function foldPull(of: PullEvidence, reported: boolean, knows: boolean | null, changes: PullChange[]): Mutable<Pull> {
  const { scheduledAt, rangeStart, rangeEnd, expectedAt, heard } = of;
  const pull: Mutable<Pull> = {
    scheduledAt,
    rangeStart,
    rangeEnd,
    state: 'expected',
    since: heard[0]!.at,
    progressedAt: heard[0]!.at,
    retryingSince: null,
    status: null,
    errorDetails: null,
    errorClass: null,
    expectedAt,
    startedAt: null,
    endedAt: null,
    daysWithData: null,
    provisional: false,
    perhapsCompletedAt: null,
    announcedAt: null,
    brokenAt: null,
    notPulledAt: null,
    lastNotPulledAt: null,
    contradictedAt: null,
    knowsRetrying: knows,
    reports: reported,
    serviceSince: null,
    serviceRetryingSince: null,
    traceId: null,
  };
  let from: PullState | null = null;
  for (const one of heard) {
    const cell = transitions[pull.state][one.event];
    const { to, verdict } = cell;
    note(pull, one);
    if (isProgress(one, pull.state, cell)) pull.progressedAt = one.at;
    if (verdict === 'noted' || verdict === 'late') {
      if (from === null && one.event === 'completed_early') from = begin(of, pull, one, changes);
      continue;
    }
    const detailed = one.told !== undefined && one.told.errorDetails !== pull.errorDetails;
    learn(pull, one, to);
    if (verdict === 'contradicts') pull.contradictedAt = one.at;
    if (from === null) pull.progressedAt = one.at;
    if (from === null || verdict !== 'confirms') {
      pull.since = one.at;
      pull.serviceSince = serviceTime(one, to);
    }
    if (from !== null && verdict === 'confirms' && !detailed) continue;
    pull.state = to;
    if (to === 'retrying') {
      pull.serviceRetryingSince = pull.retryingSince === null ? pull.serviceSince : pull.serviceRetryingSince;
      pull.retryingSince ??= one.at;
    } else if (to === 'success' || to === 'failure') {
      pull.retryingSince = null;
      pull.serviceRetryingSince = null;
    }
    pull.errorClass = errorClass(pull.errorDetails, to);
    const { status, errorDetails } = pull;
    changes.push({ scheduledAt, rangeStart, rangeEnd, at: one.at, from, to, by: one.event, status, errorDetails });
    from = to;
  }
  return pull;
}

/**
 * Whether the event is progress for a pull in this state. A pull leaves `expected` only once, and its days with data cannot grow
 * without end, so a pull that never ends does not make progress for ever.
 */
function isProgress({ event, grows }: AssignedEvidence, state: PullState, { to, verdict }: Cell): boolean {
  if (verdict === 'late' || state === 'success' || state === 'failure') return verdict === 'contradicts';
  if (verdict === 'moves' && (state === 'expected' || to === 'success' || to === 'failure')) return true;
  return grows === true || event === 'completed_partly';
}

/**
 * Returns when a pull entered the state that an answer reports, according to the service's own timestamps. The first
 * answer about a pull may arrive months later. A timestamp that is later than the answer comes from a wrong clock, so the
 * time of the answer replaces it.
 */
function serviceTime({ at, told }: AssignedEvidence, to: PullState): number | null {
  if (told === undefined) return null;
  let time = told.endedAt;
  if (to === 'scheduled') time = told.scheduledAt;
  else if (to === 'in_progress') time = told.startedAt;
  else if (to === 'unknown') return null;
  return time === null ? null : Math.min(time, at);
}

/** Begins a pull in the state `expected`, because no evidence of the pull has determined a different state yet. */
function begin(
  { scheduledAt, rangeStart, rangeEnd }: PullEvidence,
  pull: Mutable<Pull>,
  one: AssignedEvidence,
  changes: PullChange[],
): PullState {
  pull.since = one.at;
  pull.progressedAt = one.at;
  const [to, by] = [pull.state, one.event];
  changes.push({ scheduledAt, rangeStart, rangeEnd, at: one.at, from: null, to, by, status: null, errorDetails: null });
  return to;
}

/** Updates the fields of a pull that do not depend on its state. */
function note(pull: Mutable<Pull>, { at, event, told, provisional }: AssignedEvidence): void {
  switch (event) {
    case 'connected':
      pull.brokenAt = null;
      break;
    case 'connection_error':
      pull.brokenAt = at;
      break;
    case 'unavailable':
      pull.notPulledAt ??= at;
      break;
    case 'expected':
      pull.notPulledAt = null;
      break;
    case 'completed_perhaps':
      pull.perhapsCompletedAt ??= at;
      break;
    case 'completed_early':
      pull.announcedAt ??= at;
      break;
    case 'completed':
      if (pull.state !== 'success') pull.provisional = provisional;
      else if (!provisional) pull.provisional = false;
      break;
    default:
      if (told !== undefined) {
        pull.notPulledAt = null;
        if (event === 'told_success') {
          pull.provisional = false;
          pull.perhapsCompletedAt = null;
        }
      }
  }
}

/**
 * Copies the details of an answer that changes or confirms the state. A completion event has no details. If it changes the
 * state, it clears the status, the error details, the days with data and the trace id.
 */
function learn(pull: Mutable<Pull>, { event, told }: AssignedEvidence, to: PullState): void {
  if (told !== undefined) {
    pull.status = told.status;
    pull.errorDetails = told.errorDetails;
    pull.startedAt = told.startedAt;
    pull.endedAt = told.endedAt;
    pull.daysWithData = told.daysWithData;
    pull.traceId = told.traceId ?? null;
  } else if (event === 'completed' && to !== pull.state) {
    pull.status = null;
    pull.errorDetails = null;
    pull.daysWithData = null;
    pull.traceId = null;
  }
}
