import { compareEvidence, type Evidence } from './evidence.ts';
import { RETRYING_SINCE, reports } from './providers.ts';
import { type ErrorClass, errorClass, type PullState } from './state.ts';
import { type HeardEvidence, type HeardPull, SLACK, tellApart } from './telling-apart.ts';
import { type PullEvent, transitions } from './transitions.ts';

/** One historical pull, as all of its evidence together leaves it. Instants in microseconds since 1970. */
export interface Pull {
  /** When the service planned it, which names it; null of one that no introspection has named. */
  readonly scheduledAt: number | null;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
  readonly state: PullState;
  /** When it came into the state. */
  readonly since: number;
  /** Since when it has met temporary problems, through the attempts in between; null where it has met none or has ended. */
  readonly retryingSince: number | null;
  /** Status as the service spells it, of the last answer that counted; null where an event, not an answer, says how it stands. */
  readonly status: string | null;
  readonly errorDetails: string | null;
  readonly errorClass: ErrorClass | null;
  readonly expectedAt: number | null;
  readonly startedAt: number | null;
  /** End of the last attempt: the pull itself may go on. */
  readonly endedAt: number | null;
  readonly daysWithData: number | null;
  /** Its success rests on an event that no introspection has given to it. */
  readonly provisional: boolean;
  /** A completion was heard that may be this pull's, or another one's. */
  readonly perhapsCompletedAt: number | null;
  /** Its provider announces the end at once: that says nothing of the data. */
  readonly announcedAt: number | null;
  /** The connection broke, and was not made again since. */
  readonly brokenAt: number | null;
  /** Since when introspection lists the resource among those that are not pulled (of the present pull only), or the connection does not give it. */
  readonly notPulledAt: number | null;
  /** When introspection listed it there last; null where its last answer tells of a pull, or where there is none. */
  readonly lastNotPulledAt: number | null;
  /** When the service told another end than the one before. */
  readonly contradictedAt: number | null;
  /** False of connections from before 9 May 2025, whose `failure` may be a temporary one; null where it is not known when the connection was made. */
  readonly knowsRetrying: boolean | null;
  /** False where nothing of such a pull is ever heard. */
  readonly reports: boolean;
  /** When it came into the state by the service's own times; null where no answer of the service says so. */
  readonly serviceSince: number | null;
  /** The end of the first attempt that met a temporary problem, by the service's own times. */
  readonly serviceRetryingSince: number | null;
  /** What the service's support asks for; null once it has succeeded, or where the service names none. */
  readonly traceId: string | null;
}

/** A step of a pull: into another state, or to other details of its error. */
export interface PullChange {
  readonly scheduledAt: number | null;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
  readonly at: number;
  /** Null of the first one. */
  readonly from: PullState | null;
  readonly to: PullState;
  readonly by: PullEvent;
  readonly status: string | null;
  readonly errorDetails: string | null;
}

/** The historical pulls of one user, provider and resource: in their order, the present one last. */
export interface PullHistory {
  readonly pulls: readonly Pull[];
  /** In the order of evidence. */
  readonly changes: readonly PullChange[];
}

/**
 * The reducer: what the evidence says of the pulls of one user, provider and resource. It folds in the order of evidence,
 * so the order in which evidence arrives does not matter, nor how often.
 */
export function foldPulls(provider: string, resource: string, evidence: readonly Evidence[]): PullHistory {
  const sorted = inOrder(evidence);
  const reported = reports(provider, resource);
  const changes: PullChange[] = [];
  const pulls = tellApart(provider, sorted).map((heard) => foldPull(heard, reported, knowsRetrying(heard, sorted), changes));
  if (pulls.length > 1) changes.sort((a, b) => a.at - b.at);
  const present = pulls.at(-1);
  const notPulled = lastAnswersNotPulled(sorted);
  if (present !== undefined && notPulled !== undefined) {
    present.notPulledAt = notPulled.first;
    present.lastNotPulledAt = notPulled.last;
  }
  return { pulls, changes };
}

/** Sorted, each piece once; evidence that is so already is taken as it is. */
function inOrder(evidence: readonly Evidence[]): readonly Evidence[] {
  let ordered = true;
  for (let index = 1; ordered && index < evidence.length; index++)
    ordered = compareEvidence(evidence[index - 1]!, evidence[index]!) < 0;
  if (ordered) return evidence;
  return evidence
    .toSorted(compareEvidence)
    .filter((one, index, sorted) => index === 0 || compareEvidence(sorted[index - 1]!, one) !== 0);
}

/** The first and the last of the answers which list the resource among those that are not pulled; undefined where the last answer tells of a pull. */
function lastAnswersNotPulled(sorted: readonly Evidence[]): { first: number; last: number } | undefined {
  let run: { first: number; last: number } | undefined;
  for (const { kind, at } of sorted) {
    if (kind === 'told') run = undefined;
    else if (kind === 'not_pulled') run = { first: run?.first ?? at, last: at };
  }
  return run;
}

/** By the last connection before the pull; where none was heard of, a pull from before that day has an older one. */
function knowsRetrying({ scheduledAt, expectedAt }: HeardPull, sorted: readonly Evidence[]): boolean | null {
  const planned = scheduledAt ?? expectedAt;
  const connected = sorted.findLast(({ kind, at }) => kind === 'connected' && (planned === null || at <= planned + SLACK));
  if (connected !== undefined) return connected.at >= RETRYING_SINCE;
  return planned !== null && planned < RETRYING_SINCE ? false : null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one rule of the written specification after another
function foldPull(of: HeardPull, reported: boolean, knows: boolean | null, changes: PullChange[]): Mutable<Pull> {
  const { scheduledAt, rangeStart, rangeEnd, expectedAt, heard } = of;
  const pull: Mutable<Pull> = {
    scheduledAt,
    rangeStart,
    rangeEnd,
    state: 'expected',
    since: heard[0]!.at,
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
    const { to, verdict } = transitions[pull.state][one.event];
    note(pull, one);
    if (verdict === 'noted' || verdict === 'late') {
      if (from === null && one.event === 'completed_early') from = begin(of, pull, one, changes);
      continue;
    }
    const detailed = one.told !== undefined && one.told.errorDetails !== pull.errorDetails;
    learn(pull, one, to);
    if (verdict === 'contradicts') pull.contradictedAt = one.at;
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
 * When a pull came into the state that an answer tells, by the service's own times. An answer comes later than what it
 * tells: months later, where the service was never asked before. A time after the answer is a wrong clock.
 */
function serviceTime({ at, told }: HeardEvidence, to: PullState): number | null {
  if (told === undefined) return null;
  let time = told.endedAt;
  if (to === 'scheduled') time = told.scheduledAt;
  else if (to === 'in_progress') time = told.startedAt;
  else if (to === 'unknown') return null;
  return time === null ? null : Math.min(time, at);
}

/** A pull of which the first thing heard says nothing of its state begins as one to be expected. */
function begin(
  { scheduledAt, rangeStart, rangeEnd }: HeardPull,
  pull: Mutable<Pull>,
  one: HeardEvidence,
  changes: PullChange[],
): PullState {
  pull.since = one.at;
  const [to, by] = [pull.state, one.event];
  changes.push({ scheduledAt, rangeStart, rangeEnd, at: one.at, from: null, to, by, status: null, errorDetails: null });
  return to;
}

/** What stands beside the state. */
function note(pull: Mutable<Pull>, { at, event, told, provisional }: HeardEvidence): void {
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

/** What an answer that counts says beside the status; an event says only how it ended. */
function learn(pull: Mutable<Pull>, { event, told }: HeardEvidence, to: PullState): void {
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
    pull.traceId = null;
  }
}
