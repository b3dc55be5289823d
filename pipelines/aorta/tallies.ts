import type { Tally } from '@aorta/ingestion';

export const noTally: Tally = {
  received: 0,
  redelivered: 0,
  streams: {},
  unrouted: 0,
  dead_letters: {},
  partial: {},
  conflicts: 0,
  ahead: 0,
};

/** Adds up tallies of different sources, jobs or passes. */
export function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, one) => ({
      received: sum.received + one.received,
      redelivered: sum.redelivered + one.redelivered,
      streams: addCounts(sum.streams, one.streams),
      unrouted: sum.unrouted + one.unrouted,
      dead_letters: addCounts(sum.dead_letters, one.dead_letters),
      partial: addCounts(sum.partial, one.partial),
      conflicts: sum.conflicts + one.conflicts,
      ahead: sum.ahead + one.ahead,
    }),
    noTally,
  );
}

type Counts<Name extends string> = Readonly<Partial<Record<Name, number>>>;

function addCounts<Name extends string>(a: Counts<Name>, b: Counts<Name>): Counts<Name> {
  const sum: Partial<Record<Name, number>> = { ...a };
  for (const [name, count] of Object.entries(b) as [Name, number][]) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
