/**
 * The model of historical pulls, in plain code. It has no transition table, and imports nothing from the product. Times
 * are microseconds. Evidence is a plain object with the members that `schemas/historical-pulls/SPEC.md` names.
 */

// biome-ignore lint/suspicious/noExplicitAny: the model reads what the tests wrote
type Piece = any;

export interface ModelPull {
  /** Scheduled time in seconds; null if no evidence contains it. */
  readonly scheduled: number | null;
  readonly state: string;
  readonly since: number;
  readonly progressed: number;
  readonly retryingSince: number | null;
  readonly provisional: boolean;
  readonly perhaps: boolean;
  readonly contradicted: boolean;
  /** Time at which a connection first reported the resource as unavailable; null if later evidence revoked the report. */
  readonly unavailable: number | null;
  readonly steps: readonly [at: number, state: string][];
}

const TEN_MINUTES = 600_000_000;
const seconds = (at: number | null): number | null => (at === null ? null : Math.floor(at / 1e6));
const rangeOf = (piece: Piece): string | null =>
  piece.rangeStart === null && piece.rangeEnd === null ? null : `${seconds(piece.rangeStart)} ${seconds(piece.rangeEnd)}`;
const words = ['scheduled', 'in_progress', 'retrying', 'success', 'failure'];
const stateOf = (status: string): string => (words.includes(status.toLowerCase()) ? status.toLowerCase() : 'unknown');
const kinds = ['connected', 'expected', 'unavailable', 'not_pulled', 'told', 'completed_partly', 'completed', 'connection_error'];

const wordOf = (piece: Piece): string =>
  JSON.stringify([
    piece.status,
    piece.errorDetails,
    ...[piece.scheduledAt, piece.rangeStart, piece.rangeEnd, piece.startedAt, piece.endedAt].map(seconds),
    ['success', 'failure'].includes(stateOf(piece.status)) ? piece.daysWithData : 0,
  ]);
const textOf = (piece: Piece): string =>
  piece.kind === 'told'
    ? JSON.stringify([
        piece.scheduledAt,
        piece.rangeStart,
        piece.rangeEnd,
        piece.status,
        piece.startedAt,
        piece.endedAt,
        piece.daysWithData,
        piece.errorDetails,
      ])
    : JSON.stringify([piece.rangeStart, piece.rangeEnd]);
const before = (a: Piece, b: Piece): number =>
  a.at - b.at || kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0);

const daysOf = (piece: Piece): number => piece.daysWithData ?? 0;

interface Draft {
  group: 'nameless' | 'named' | 'awaited';
  scheduled: number | null;
  range: string | null;
  from: number;
  seen: number;
  connections: number[];
  tolds: Piece[];
  ended: boolean;
  /** Each piece of evidence about the pull, with its meaning for the pull. */
  facts: { piece: Piece; as: string; grew?: boolean }[];
}

/** Returns the pulls, with the current one last. The evidence may be in any order and may repeat. */
export function pullsOf(provider: string, evidence: readonly Piece[]): readonly ModelPull[] {
  const all = [...new Map(evidence.map((piece) => [`${piece.at} ${piece.kind} ${textOf(piece)}`, piece])).values()].sort(before);
  const drafts: Draft[] = [];
  const draft = (group: Draft['group'], from: number, more: Partial<Draft>): Draft => {
    const made = {
      group,
      scheduled: null,
      range: null,
      from,
      seen: from,
      connections: [],
      tolds: [],
      ended: false,
      facts: [],
      ...more,
    };
    drafts.push(made);
    return made;
  };
  const named = (): Draft[] => drafts.filter(({ group }) => group === 'named').sort((a, b) => a.from - b.from || a.seen - b.seen);

  // Introspection identifies a pull by the second for which it was scheduled, and later also by its range.
  for (const piece of all.filter(({ kind }) => kind === 'told')) {
    const range = rangeOf(piece);
    const known = drafts.find(
      (one) => one.scheduled === seconds(piece.scheduledAt) && (range === null || one.range === null || one.range === range),
    );
    const pull =
      known ?? draft('named', piece.scheduledAt ?? piece.at, { scheduled: seconds(piece.scheduledAt), range, seen: piece.at });
    pull.range ??= range;
    pull.tolds.push(piece);
  }
  for (const pull of named())
    for (const [index, piece] of pull.tolds.entries()) {
      // An answer counts as a fact only if it differs from the previous answer, or reports more days than all earlier answers.
      const grew = pull.tolds.slice(0, index).every((one) => daysOf(one) < daysOf(piece)) && daysOf(piece) > 0;
      if (index === 0 || grew || wordOf(pull.tolds[index - 1]) !== wordOf(piece))
        pull.facts.push({ piece, as: stateOf(piece.status), grew });
    }

  // A connection belongs to the first pull that was scheduled after it.
  const connections: Piece[] = [];
  for (const piece of all.filter(({ kind }) => kind === 'expected'))
    if (connections.length === 0 || piece.at - connections.at(-1).at > TEN_MINUTES) connections.push(piece);
  for (const piece of connections) {
    const follows = named().find((pull) => pull.from >= piece.at - TEN_MINUTES);
    const late = connections.length === 1 ? named().find((pull) => pull.seen >= piece.at - TEN_MINUTES) : undefined;
    // Garmin does not pull again after a new connection.
    const before = provider === 'garmin' ? (named().at(-1) ?? drafts.findLast(({ group }) => group === 'awaited')) : undefined;
    const pull = follows ?? late ?? before ?? draft('awaited', piece.at, {});
    pull.connections.push(piece.at);
    pull.facts.push({ piece, as: 'expected' });
  }

  for (const piece of all.filter(({ kind }) => kind.startsWith('completed'))) {
    const range = rangeOf(piece);
    const succeeded = (pull: Draft): boolean => pull.tolds.some(({ status }) => stateOf(status) === 'success');
    const possible = drafts.filter((pull) => {
      if (pull.group === 'nameless' || pull.from > piece.at + TEN_MINUTES) return false;
      if (pull.group === 'awaited') return !pull.ended || pull.range === range;
      return range === null ? !succeeded(pull) : pull.range === null || pull.range === range;
    });
    // Pulls with the same range come first, then pulls without a range, then expected pulls.
    const rank = (pull: Draft): number => (pull.group === 'awaited' ? 2 : range !== null && pull.range === range ? 0 : 1);
    possible.sort((a, b) => rank(a) - rank(b) || a.from - b.from || a.seen - b.seen);
    const newcomer = (): Draft =>
      drafts.find(({ group, range: of }) => group === 'nameless' && of === range) ?? draft('nameless', piece.at, { range });
    const give = (pull: Draft, as: string): void => {
      pull.facts.push({ piece, as });
      if (pull.group === 'named') return;
      if (as.startsWith('end')) pull.ended = true;
      pull.range ??= range;
    };
    if (provider === 'garmin') give(possible.at(-1) ?? newcomer(), 'announced');
    else if (piece.kind === 'completed_partly') {
      if (possible.length <= 1) give(possible[0] ?? newcomer(), 'part');
    } else if (possible.length === 0) give(newcomer(), 'end, provisional');
    else if (possible.length === 1 && possible[0]!.connections.length <= 1)
      give(possible[0]!, rank(possible[0]!) === 0 ? 'end' : 'end, provisional');
    else for (const pull of possible.filter((one) => !succeeded(one))) give(pull, 'perhaps');
  }

  const order = (pull: Draft): number => ['nameless', 'named', 'awaited'].indexOf(pull.group);
  return drafts
    .map((pull, index) => ({ pull, index }))
    .sort((a, b) =>
      a.pull.group === 'named' && b.pull.group === 'named'
        ? a.pull.from - b.pull.from || a.pull.seen - b.pull.seen
        : order(a.pull) - order(b.pull) || a.index - b.index,
    )
    .map(({ pull }) => story(pull, all));
}

/** Returns one pull with its state. The state is the last outcome, or the last reported status if there is no outcome. */
function story(pull: Draft, all: readonly Piece[]): ModelPull {
  const facts = pull.facts.toSorted((a, b) => before(a.piece, b.piece));
  const steps: [number, string][] = [];
  let contradicted = false;
  let detail: string | null = null;
  let sureSince: boolean | undefined;
  let perhaps = false;
  let progressed = 0;
  for (const { piece, as, grew } of facts) {
    const now = steps.at(-1)?.[1];
    const over = now === 'success' || now === 'failure';
    const ends = as === 'success' || as === 'failure' || as.startsWith('end');
    if (!over && now !== undefined && (grew || as === 'part')) progressed = piece.at;
    if (as === 'perhaps') perhaps = true;
    if (as === 'success') perhaps = false;
    // A certain end stays certain, and a provisional one can become certain.
    if (as === 'success') sureSince = true;
    if (as.startsWith('end')) sureSince = now === 'success' ? sureSince || as === 'end' : as === 'end';
    let next: string | undefined;
    if (ends) next = as === 'failure' ? 'failure' : 'success';
    else if (as === 'announced' || as === 'expected') next = now === undefined ? 'expected' : undefined;
    else if (as === 'part')
      next = now === undefined || ['expected', 'scheduled', 'in_progress'].includes(now) ? 'in_progress' : undefined;
    else if (as !== 'perhaps' && !over) next = as;
    if (next === undefined) continue;
    if (over && next !== now) contradicted = true;
    if (next !== now && (ends || now === undefined || now === 'expected')) progressed = piece.at;
    const told = piece.kind === 'told';
    const telling: string | null = told ? piece.errorDetails : next !== now && ends ? null : detail;
    const step = next !== now || (told && telling !== detail);
    detail = telling;
    if (step) steps.push([piece.at, next]);
  }
  const [, state] = steps.at(-1)!;
  const since = steps.findLast(([, to], index) => steps[index - 1]?.[1] !== to)![0];
  const sinceEnd = steps.slice(steps.findLastIndex(([, to]) => to === 'success' || to === 'failure') + 1);
  return {
    scheduled: pull.scheduled,
    state,
    since,
    progressed,
    retryingSince: sinceEnd.find(([, to]) => to === 'retrying')?.[0] ?? null,
    provisional: sureSince === false,
    perhaps,
    contradicted,
    unavailable: unavailableSince(pull, all),
    steps,
  };
}

/** Returns when a connection first reported the pull as unavailable. An answer or an expected pull revokes the report. */
function unavailableSince({ from, facts }: Draft, all: readonly Piece[]): number | null {
  const said = all.filter(({ kind, at }) => kind === 'unavailable' && from <= at + TEN_MINUTES);
  const takenBack = facts.map(({ piece }) => piece).filter(({ kind }) => kind === 'told' || kind === 'expected');
  let since: number | null = null;
  for (const piece of [...said, ...takenBack].sort(before)) since = piece.kind === 'unavailable' ? (since ?? piece.at) : null;
  return since;
}

/** Returns the times of the first and last answers after the last one that reports a pull; undefined if there are none. */
export function notPulledOf(evidence: readonly Piece[]): { first: number; last: number } | undefined {
  const answers = evidence.filter(({ kind }) => kind === 'told' || kind === 'not_pulled').sort(before);
  const run = answers.slice(answers.findLastIndex(({ kind }) => kind === 'told') + 1);
  return run.length === 0 ? undefined : { first: run[0]!.at, last: run.at(-1)!.at };
}
