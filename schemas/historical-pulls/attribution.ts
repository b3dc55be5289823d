import {
  type CompletionEvidence,
  daysTold,
  type Evidence,
  hasRange,
  type ReportedEvidence,
  sameRange,
  sameSecond,
  saysTheSame,
} from './evidence.ts';
import { completesEarly, pullsOnce } from './providers.ts';
import { type ReportedState, stateTold } from './state.ts';
import type { PullEvent } from './transitions.ts';

/** The identity of one pull, and its events in the order of evidence. */
export interface PullEvidence {
  /** When the service scheduled the pull. Null if introspection has not reported the pull. */
  readonly scheduledAt: number | null;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
  /** When the user connected the provider, which makes the pull expected. Null if no connection is known. */
  readonly expectedAt: number | null;
  readonly heard: readonly AssignedEvidence[];
}

/** A piece of evidence that is assigned to a pull. */
export interface AssignedEvidence {
  readonly at: number;
  /** Position of this evidence in the order of all evidence. */
  readonly place: number;
  readonly event: PullEvent;
  /** Whether the answer reports more days with data than any earlier answer about the pull. */
  readonly grows?: true;
  /** The introspection answer. Undefined for any other kind of evidence. */
  readonly told: ReportedEvidence | undefined;
  /** True for a completion that ended a pull, if introspection has not reported a pull with the completion's range. */
  readonly provisional: boolean;
}

/**
 * Tolerance for comparing times, in microseconds. It covers clock differences between service and broker and the delay
 * of connection events. A connection event that is later than a pull by more than this tolerance does not belong to that
 * pull.
 */
export const SLACK = 600_000_000;

interface Gathered {
  scheduledAt: number | null;
  rangeStart: number | null;
  rangeEnd: number | null;
  expectedAt: number | null;
  /** Pulls are sorted by this time. Evidence that precedes this time by more than the tolerance is not about the pull. */
  anchor: number;
  firstHeard: number;
  /** Number of connections that may have started the pull. */
  connections: number;
  toldSuccess: boolean;
  lastTold: ReportedEvidence | undefined;
  /** The highest number of days with data that introspection has reported. */
  mostDays: number;
  /** True if a completion was assigned to the pull and introspection has not reported the pull. */
  completed: boolean;
  heard: AssignedEvidence[];
}

function gather(anchor: number, named: Partial<Gathered> = {}): Gathered {
  return {
    scheduledAt: null,
    rangeStart: null,
    rangeEnd: null,
    expectedAt: null,
    anchor,
    firstHeard: anchor,
    connections: 0,
    toldSuccess: false,
    lastTold: undefined,
    mostDays: 0,
    completed: false,
    heard: [],
    ...named,
  };
}

/** The names are written out, because looking up a concatenated name in the transition table is ten times slower. */
const toldEvents = {
  scheduled: 'told_scheduled',
  in_progress: 'told_in_progress',
  retrying: 'told_retrying',
  success: 'told_success',
  failure: 'told_failure',
  unknown: 'told_unknown',
} as const satisfies Readonly<Record<ReportedState, PullEvent>>;

const hear = (at: number, place: number, event: PullEvent): AssignedEvidence => ({
  at,
  place,
  event,
  told: undefined,
  provisional: false,
});

/**
 * Assigns the evidence of a user, provider and resource to individual pulls. `evidence` must be in the order of
 * `compareEvidence`, without repetitions. The returned pulls are in order, and the last one is the current pull. Pulls that
 * are known only from a completion come first, then those that introspection reports. Pulls that are expected after a
 * connection come last.
 */
export function attributeEvidence(provider: string, evidence: readonly Evidence[]): readonly PullEvidence[] {
  const named = namedPulls(evidence);
  const expected = expectedPulls(provider, evidence, named);
  const nameless: Gathered[] = [];
  for (let place = 0; place < evidence.length; place++) {
    const one = evidence[place]!;
    if (one.kind === 'completed' || one.kind === 'completed_partly')
      giveCompletion(one, place, provider, { named, expected, nameless });
  }
  const pulls = nameless.length === 0 && expected.length === 0 ? named : [...nameless, ...named, ...expected];
  for (let place = 0; place < evidence.length; place++) {
    const { kind, at } = evidence[place]!;
    if (kind !== 'connected' && kind !== 'connection_error' && kind !== 'unavailable') continue;
    for (const pull of pulls) if (pull.anchor <= at + SLACK) pull.heard.push(hear(at, place, kind));
  }
  for (const { heard } of pulls) sortByPlace(heard);
  return pulls;
}

/** Sorts only if needed, because most evidence is already in order. */
function sortByPlace(heard: AssignedEvidence[]): void {
  for (let index = 1; index < heard.length; index++)
    if (heard[index - 1]!.place > heard[index]!.place) {
      heard.sort((a, b) => a.place - b.place);
      return;
    }
}

/**
 * Returns the pulls that introspection reports, sorted by scheduling time. SPEC.md says which pull an answer without a range
 * is about.
 */
function namedPulls(evidence: readonly Evidence[]): Gathered[] {
  const pulls: Gathered[] = [];
  for (let place = 0; place < evidence.length; place++) {
    const told = evidence[place]!;
    if (told.kind !== 'told') continue;
    let pull = pulls.find(
      (one) => sameSecond(one.scheduledAt, told.scheduledAt) && (!hasRange(told) || !hasRange(one) || sameRange(one, told)),
    );
    if (pull === undefined) {
      const { scheduledAt, rangeStart, rangeEnd } = told;
      pull = gather(scheduledAt ?? told.at, { scheduledAt, rangeStart, rangeEnd, firstHeard: told.at });
      pulls.push(pull);
    } else if (!hasRange(pull)) {
      pull.rangeStart = told.rangeStart;
      pull.rangeEnd = told.rangeEnd;
    }
    const days = daysTold(told);
    const grows = days > pull.mostDays;
    // Skip an answer that is equivalent to the previous answer.
    if (pull.lastTold !== undefined && !grows && saysTheSame(pull.lastTold, told)) continue;
    pull.lastTold = told;
    pull.mostDays = Math.max(pull.mostDays, days);
    const state = stateTold(told.status);
    if (state === 'success') pull.toldSuccess = true;
    pull.heard.push({ at: told.at, place, event: toldEvents[state], told, provisional: false, grows: grows || undefined });
  }
  return pulls.length < 2 ? pulls : pulls.sort((a, b) => a.anchor - b.anchor || a.firstHeard - b.firstHeard);
}

/**
 * Assigns each connection to the pull that followed it. Returns an expected pull for each connection that no pull has
 * followed. If the provider pulls only once, a repeated connection belongs to the last pull.
 */
function expectedPulls(provider: string, evidence: readonly Evidence[], named: readonly Gathered[]): Gathered[] {
  const connections: { at: number; place: number }[] = [];
  for (let place = 0; place < evidence.length; place++) {
    const { kind, at } = evidence[place]!;
    // A second event within the tolerance is about the same connection.
    if (kind === 'expected' && (connections.length === 0 || at - connections.at(-1)!.at > SLACK)) connections.push({ at, place });
  }
  const open: Gathered[] = [];
  for (const { at, place } of connections) {
    const known =
      named.find((pull) => pull.anchor >= at - SLACK) ??
      // The event of the only known connection may be late. A pull that introspection reported before that event is an
      // older pull.
      (connections.length === 1 ? named.find((pull) => pull.firstHeard >= at - SLACK) : undefined) ??
      (pullsOnce(provider) ? (named.at(-1) ?? open.at(-1)) : undefined);
    const pull = known ?? gather(at);
    if (known === undefined) open.push(pull);
    pull.expectedAt = at;
    pull.connections += 1;
    pull.heard.push(hear(at, place, 'expected'));
  }
  return open;
}

interface GatheredPulls {
  /** Pulls that introspection reports. */
  readonly named: readonly Gathered[];
  /** Pulls that are expected after a connection. */
  readonly expected: readonly Gathered[];
  /** Pulls that are known only from a completion. */
  readonly nameless: Gathered[];
}

/**
 * Assigns a completion to the pull that it ends. A completion has a range, but does not identify a pull. If only one pull
 * matches, the completion ends it. If several pulls match, the completion ends none of them, and each of them is marked
 * as perhaps completed.
 */
function giveCompletion(
  completion: CompletionEvidence,
  place: number,
  provider: string,
  { named, expected, nameless }: GatheredPulls,
): void {
  const { at } = completion;
  const ranged = hasRange(completion);
  const begun = (pull: Gathered): boolean => pull.anchor <= at + SLACK;
  const same = ranged ? named.filter((pull) => begun(pull) && hasRange(pull) && sameRange(pull, completion)) : [];
  const blank = named.filter((pull) => begun(pull) && (ranged ? !hasRange(pull) : !pull.toldSuccess));
  const awaited = expected.filter((pull) => begun(pull) && (!pull.completed || sameRange(pull, completion)));
  const all = [...same, ...blank, ...awaited];

  const give = (pull: Gathered, event: PullEvent, provisional: boolean): void => {
    pull.heard.push({ at, place, event, told: undefined, provisional });
    if (pull.scheduledAt !== null || pull.lastTold !== undefined) return;
    pull.completed ||= event === 'completed';
    if (ranged && !hasRange(pull)) {
      pull.rangeStart = completion.rangeStart;
      pull.rangeEnd = completion.rangeEnd;
    }
  };
  const namelessPull = (): Gathered => {
    const before = nameless.find((pull) => sameRange(pull, completion));
    if (before !== undefined) return before;
    const { rangeStart, rangeEnd } = completion;
    const pull = gather(at, { rangeStart, rangeEnd });
    nameless.push(pull);
    return pull;
  };

  const [only] = all;
  if (completesEarly(provider)) give(all.at(-1) ?? namelessPull(), 'completed_early', false);
  else if (completion.kind === 'completed_partly') {
    if (all.length < 2) give(only ?? namelessPull(), 'completed_partly', false);
  } else if (only === undefined) give(namelessPull(), 'completed', true);
  // If two connections came before the pull, the first may have started a pull that introspection never reported.
  else if (all.length === 1 && only.connections < 2) give(only, 'completed', same.length === 0);
  else for (const pull of all) if (!pull.toldSuccess) give(pull, 'completed_perhaps', false);
}
