import type { Tally } from '@aorta/ingestion';
import type { AortaError } from '@aorta/runtime';

/** What a load came to: `received` = `redelivered` + all of `streams` + `unrouted` + all of `dead_letters`, by distinct receipt. */
export interface LoadReport {
  readonly received: number;
  readonly redelivered: number;
  readonly streams: Readonly<Record<string, number>>;
  readonly unrouted: number;
  readonly dead_letters: Readonly<Record<string, number>>;
  /** Parts refused of deliveries that were kept. */
  readonly partial: Readonly<Record<string, number>>;
  /** Rows of the tables now, of those that have any. */
  readonly tables: Readonly<Record<string, number>>;
}

export function reportOf(tally: Tally, tables: Readonly<Record<string, number>>): LoadReport {
  const { received, redelivered, streams, unrouted, dead_letters, partial } = tally;
  return {
    received,
    redelivered,
    streams: sorted(streams),
    unrouted,
    dead_letters: sorted(dead_letters),
    partial: sorted(partial),
    tables: sorted(withRows(tables)),
  };
}

/** The tables that have rows: there are many, and most people have data of few kinds. */
export function withRows(tables: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(tables).filter(([, rows]) => rows > 0));
}

/** Refused whole. */
export function deadLetterCount({ dead_letters }: Pick<LoadReport, 'dead_letters'>): number {
  return sum(dead_letters);
}

/** Parts refused that are dead letters; a value that only does not fit its column is kept in `extra`, and is none. */
export function refusedParts({ partial }: Pick<LoadReport, 'partial'>): number {
  return sum(partial) - (partial.value_does_not_fit ?? 0);
}

export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, one) => total + one, 0);
}

function sorted(counts: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts)
      .flatMap(([name, count]) => (count === undefined ? [] : [[name, count] as const]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Whether the problem of a file means that something of it was not taken: a line that is no delivery was, as a dead letter, and an empty file has nothing. */
export function isLoss({ code }: AortaError): boolean {
  return code !== 'AORTA-FILE-ENTRY' && code !== 'AORTA-FILE-EMPTY';
}
