import { type CompletionEvidence, type Evidence, saysTheSame, second, type ToldEvidence } from './evidence.ts';
import { completesEarly } from './providers.ts';
import { stateTold } from './state.ts';
import type { PullEvent } from './transitions.ts';

/** What was heard of one pull: its events in the order of evidence, and what names it. */
export interface HeardPull {
  /** When the service planned it; null of a pull that no introspection has named. */
  readonly scheduledAt: number | null;
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
  /** When the connection was made that lets expect it; null where none was heard of. */
  readonly expectedAt: number | null;
  readonly heard: readonly Heard[];
}

export interface Heard {
  readonly at: number;
  /** Place in the order of all evidence. */
  readonly place: number;
  readonly event: PullEvent;
  /** The answer of the introspection, where the event is one. */
  readonly told?: ToldEvidence;
  /** A completion that could be matched, though no introspection has named the pull that it ends. */
  readonly provisional?: true;
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
  heard: Heard[];
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

interface Ranged {
  readonly rangeStart: number | null;
  readonly rangeEnd: number | null;
}
const hasRange = ({ rangeStart, rangeEnd }: Ranged): boolean => rangeStart !== null || rangeEnd !== null;
const sameRange = (a: Ranged, b: Ranged): boolean =>
  second(a.rangeStart) === second(b.rangeStart) && second(a.rangeEnd) === second(b.rangeEnd);

/**
 * Tells the pulls of a user, provider and resource apart, and says of each what was heard of it. `evidence` is in the
 * order of `compareEvidence`, each piece once. The pulls come in their order, the present one last: those that only a
 * completion tells of first, then those that introspection names, then those that a connection lets expect.
 */
export function tellApart(provider: string, evidence: readonly Evidence[]): readonly HeardPull[] {
  const named = namedPulls(evidence);
  const expected = expectedPulls(evidence, named);
  const nameless: Gathered[] = [];
  for (const [place, one] of evidence.entries())
    if (one.kind === 'completed' || one.kind === 'completed_partly')
      giveCompletion(one, place, provider, named, expected, nameless);
  const pulls = nameless.length === 0 && expected.length === 0 ? named : [...nameless, ...named, ...expected];
  for (const [place, one] of evidence.entries()) {
    if (one.kind !== 'connected' && one.kind !== 'connection_error' && one.kind !== 'unavailable') continue;
    for (const pull of pulls) if (pull.anchor <= one.at + SLACK) pull.heard.push({ at: one.at, place, event: one.kind });
  }
  for (const { heard } of pulls) if (heard.length > 1) heard.sort((a, b) => a.place - b.place);
  return pulls;
}

/** The pulls that introspection names, by scheduling. What it says of a pull without a range is of the first one planned at that second. */
function namedPulls(evidence: readonly Evidence[]): Gathered[] {
  const pulls: Gathered[] = [];
  for (const [place, told] of evidence.entries()) {
    if (told.kind !== 'told') continue;
    const planned = second(told.scheduledAt);
    let pull = pulls.find(
      (one) => second(one.scheduledAt) === planned && (!hasRange(told) || !hasRange(one) || sameRange(one, told)),
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
    pull.heard.push({ at: told.at, place, event: `told_${state}`, told });
  }
  return pulls.length < 2 ? pulls : pulls.sort((a, b) => a.anchor - b.anchor || a.firstHeard - b.firstHeard);
}

/** Gives each connection to the pull that followed it; those that none has followed yet are pulls to be expected. */
function expectedPulls(evidence: readonly Evidence[], named: readonly Gathered[]): Gathered[] {
  const connections: { at: number; place: number }[] = [];
  // Within the slack it is the same news once more.
  for (const [place, { kind, at }] of evidence.entries())
    if (kind === 'expected' && (connections.length === 0 || at - connections.at(-1)!.at > SLACK)) connections.push({ at, place });
  const open: Gathered[] = [];
  for (const { at, place } of connections) {
    const followed =
      named.find((pull) => pull.anchor >= at - SLACK) ??
      // The only connection that was heard of may have been told late; a pull that was seen before it is an older one.
      (connections.length === 1 ? named.find((pull) => pull.firstHeard >= at - SLACK) : undefined);
    const pull = followed ?? gather(at);
    if (followed === undefined) open.push(pull);
    pull.expectedAt = at;
    pull.connections += 1;
    pull.heard.push({ at, place, event: 'expected' });
  }
  return open;
}

/**
 * Gives a completion to the pull that it ends. It names a range, not a pull: where only one pull can be meant it is that
 * one's end, where several can be, none of them is ended by it, and each knows that it may have been.
 */
function giveCompletion(
  completion: CompletionEvidence,
  place: number,
  provider: string,
  named: readonly Gathered[],
  expected: readonly Gathered[],
  nameless: Gathered[],
): void {
  const { at } = completion;
  const ranged = hasRange(completion);
  const begun = (pull: Gathered): boolean => pull.anchor <= at + SLACK;
  const same = ranged ? named.filter((pull) => begun(pull) && hasRange(pull) && sameRange(pull, completion)) : [];
  const blank = named.filter((pull) => begun(pull) && (ranged ? !hasRange(pull) : !pull.toldSuccess));
  const awaited = expected.filter((pull) => begun(pull) && (!pull.completed || sameRange(pull, completion)));
  const all = [...same, ...blank, ...awaited];

  const give = (pull: Gathered, event: PullEvent, provisional: boolean): void => {
    pull.heard.push({ at, place, event, ...(provisional ? { provisional } : {}) });
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
