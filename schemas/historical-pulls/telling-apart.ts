import {
  type CompletionEvidence,
  type Evidence,
  hasRange,
  sameRange,
  sameSecond,
  saysTheSame,
  type ToldEvidence,
} from './evidence.ts';
import { completesEarly, pullsOnce } from './providers.ts';
import { stateTold, type ToldState } from './state.ts';
import type { PullEvent } from './transitions.ts';

/** What was heard of one pull: its events in the order of evidence, and what names it. */
export interface HeardPull {
  /** When the service planned it; null of a pull that no introspection has named. */
  readonly scheduledAt: number | null;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
  /** When the connection was made that lets expect it; null where none was heard of. */
  readonly expectedAt: number | null;
  readonly heard: readonly HeardEvidence[];
}

/** A piece of evidence as a pull has it. */
export interface HeardEvidence {
  readonly at: number;
  /** Place in the order of all evidence. */
  readonly place: number;
  readonly event: PullEvent;
  /** The answer of the introspection, where the event is one. */
  readonly told: ToldEvidence | undefined;
  /** A completion that could be matched, though no introspection has named the pull that it ends. */
  readonly provisional: boolean;
}

/**
 * Clocks of the service and the broker may differ by so much, and so long may the news of a connection be on its way
 * without the pull that followed it being taken for an earlier one. In microseconds.
 */
export const SLACK = 600_000_000;

interface Gathered {
  scheduledAt: number | null;
  rangeStart: number | null;
  rangeEnd: number | null;
  expectedAt: number | null;
  /** Moment by which it is put in order, and before which nothing can be about it. */
  anchor: number;
  firstHeard: number;
  /** Connections whose pull it may be. */
  connections: number;
  toldSuccess: boolean;
  lastTold: ToldEvidence | undefined;
  /** A completion was given to it, though nothing names it. */
  completed: boolean;
  heard: HeardEvidence[];
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
    completed: false,
    heard: [],
    ...named,
  };
}

/** Written out: a name that is put together anew for each answer would be looked up in the table ten times as slowly. */
const toldEvents = {
  scheduled: 'told_scheduled',
  in_progress: 'told_in_progress',
  retrying: 'told_retrying',
  success: 'told_success',
  failure: 'told_failure',
  unknown: 'told_unknown',
} as const satisfies Readonly<Record<ToldState, PullEvent>>;

const hear = (at: number, place: number, event: PullEvent): HeardEvidence => ({
  at,
  place,
  event,
  told: undefined,
  provisional: false,
});

/**
 * Tells the pulls of a user, provider and resource apart, and says of each what was heard of it. `evidence` is in the
 * order of `compareEvidence`, each piece once. The pulls come in their order, the present one last: those that only a
 * completion tells of first, then those that introspection names, then those that a connection lets expect.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one rule of the written specification after another
export function tellApart(provider: string, evidence: readonly Evidence[]): readonly HeardPull[] {
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

/** Most come in their order: what names a pull is heard before what ends it. */
function sortByPlace(heard: HeardEvidence[]): void {
  for (let index = 1; index < heard.length; index++)
    if (heard[index - 1]!.place > heard[index]!.place) {
      heard.sort((a, b) => a.place - b.place);
      return;
    }
}

/** The pulls that introspection names, by scheduling. What it says of a pull without a range is of the first one planned at that second. */
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
    // An answer that says what the one before said is no news.
    if (pull.lastTold !== undefined && saysTheSame(pull.lastTold, told)) continue;
    pull.lastTold = told;
    const state = stateTold(told.status);
    if (state === 'success') pull.toldSuccess = true;
    pull.heard.push({ at: told.at, place, event: toldEvents[state], told, provisional: false });
  }
  return pulls.length < 2 ? pulls : pulls.sort((a, b) => a.anchor - b.anchor || a.firstHeard - b.firstHeard);
}

/**
 * Gives each connection to the pull that followed it; those that none has followed yet are pulls to be expected. A provider
 * that pulls once has none for a connection that is made again: it belongs to the last pull there is.
 */
function expectedPulls(provider: string, evidence: readonly Evidence[], named: readonly Gathered[]): Gathered[] {
  const connections: { at: number; place: number }[] = [];
  for (let place = 0; place < evidence.length; place++) {
    const { kind, at } = evidence[place]!;
    // Within the slack it is the same news once more.
    if (kind === 'expected' && (connections.length === 0 || at - connections.at(-1)!.at > SLACK)) connections.push({ at, place });
  }
  const open: Gathered[] = [];
  for (const { at, place } of connections) {
    const known =
      named.find((pull) => pull.anchor >= at - SLACK) ??
      // The only connection that was heard of may have been told late; a pull that was seen before it is an older one.
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
  /** Those that introspection names. */
  readonly named: readonly Gathered[];
  /** Those that a connection lets expect. */
  readonly expected: readonly Gathered[];
  /** Those that only a completion tells of. */
  readonly nameless: Gathered[];
}

/**
 * Gives a completion to the pull that it ends. It names a range, not a pull: where only one pull can be meant it is that
 * one's end, where several can be, none of them is ended by it, and each knows that it may have been.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one rule of the written specification after another
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
  const anew = (): Gathered => {
    const before = nameless.find((pull) => sameRange(pull, completion));
    if (before !== undefined) return before;
    const { rangeStart, rangeEnd } = completion;
    const pull = gather(at, { rangeStart, rangeEnd });
    nameless.push(pull);
    return pull;
  };

  const [only] = all;
  if (completesEarly(provider)) give(all.at(-1) ?? anew(), 'completed_early', false);
  else if (completion.kind === 'completed_partly') {
    if (all.length < 2) give(only ?? anew(), 'completed_partly', false);
  } else if (only === undefined) give(anew(), 'completed', true);
  // Of two connections that a pull followed, the first may have had a pull that nobody saw.
  else if (all.length === 1 && only.connections < 2) give(only, 'completed', same.length === 0);
  else for (const pull of all) if (!pull.toldSuccess) give(pull, 'completed_perhaps', false);
}
