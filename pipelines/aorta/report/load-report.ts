import type { Tally } from '@aorta/ingestion';
import type { AortaError } from '@aorta/runtime';
import { count, counted, duration } from '@aorta/runtime/quantity';
import { causesDeadLetter } from '@aorta/schemas';
import { type Call, commandLine } from '../cli/printing/command-lines.ts';
import { table } from '../cli/printing/table.ts';

/**
 * Counts of a load. A delivery that is read again counts again. `received` = `redelivered` + sum of `streams` +
 * `unrouted` + sum of `dead_letters`.
 */
export interface LoadReport {
  /** Number of deliveries read, also those read again after a restart or from an earlier offset. */
  readonly received: number;
  readonly redelivered: number;
  readonly streams: Readonly<Record<string, number>>;
  readonly unrouted: number;
  readonly dead_letters: Readonly<Record<string, number>>;
  /** Number of refused parts, by reason, in deliveries that were otherwise kept. */
  readonly partial: Readonly<Record<string, number>>;
  /** Number of deliveries that state a time of receipt more than 5 minutes ahead of the clock of this computer, if any. */
  readonly received_ahead?: number;
  /** Number of rows in each table after the load, without empty tables. */
  readonly tables: Readonly<Record<string, number>>;
}

export function reportOf(tally: Tally, tables: Readonly<Record<string, number>>): LoadReport {
  const { received, redelivered, streams, unrouted, dead_letters, partial, ahead } = tally;
  return {
    received,
    redelivered,
    streams: sorted(streams),
    unrouted,
    dead_letters: sorted(dead_letters),
    partial: sorted(partial),
    received_ahead: ahead === 0 ? undefined : ahead,
    tables: sorted(withRows(tables)),
  };
}

/** Removes empty tables, because there are many tables and most users have only a few kinds of data. */
export function withRows(tables: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(tables).filter(([, rows]) => rows > 0));
}

/** Counts the deliveries that became dead letters as a whole. */
export function deadLetterCount({ dead_letters }: Pick<LoadReport, 'dead_letters'>): number {
  return sum(dead_letters);
}

/** Counts the refused parts that became dead letters. Parts that are still in the record do not count. */
export function refusedParts({ partial }: Pick<LoadReport, 'partial'>): number {
  return sum(Object.fromEntries(Object.entries(partial).filter(([reason]) => causesDeadLetter(reason))));
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

/**
 * Returns whether a problem with a file means that input was lost. A malformed line is kept as a dead letter, and neither
 * an empty file nor an output of Aorta loses anything.
 */
export function isLoss({ code }: AortaError): boolean {
  return code !== 'AORTA-FILE-ENTRY' && code !== 'AORTA-FILE-EMPTY' && code !== 'AORTA-FILE-OWN';
}

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

/** Formats the counts of a load. */
export function loadSummary(report: LoadReport, milliseconds: number, call: Call): string {
  const dead = deadLetterCount(report);
  const parts = [
    `${count(sum(report.streams))} kept`,
    ...(report.redelivered === 0 ? [] : [`${count(report.redelivered)} redelivered`]),
    ...(report.unrouted === 0 ? [] : [`${count(report.unrouted)} unrouted`]),
    ...(dead === 0 ? [] : [counted(dead, 'dead letter')]),
  ];
  const lines = [
    `Received ${counted(report.received, 'delivery', 'deliveries')} in ${duration(milliseconds)}: ${parts.join(', ')}.`,
  ];
  const { received_ahead: ahead = 0 } = report;
  if (ahead > 0)
    lines.push(
      `Received more than 5 minutes ahead of the clock of this computer: ${counted(ahead, 'delivery', 'deliveries')}. Check both clocks, because events with earlier times cannot replace these rows.`,
    );
  if (dead > 0) lines.push(`Refused deliveries: ${reasons(report.dead_letters)}.`);
  if (sum(report.partial) > 0) lines.push(`Kept, but parts were refused or did not fit: ${reasons(report.partial)}.`);
  if (dead > 0 || refusedParts(report) > 0) lines.push(`To list the dead letters, run: ${commandLine('aorta dlq list', call)}`);
  const rows = Object.entries(report.tables).map(([name, rows]) => [name, count(rows)]);
  return `${lines.join('\n')}\n\n${table([{ name: 'table' }, { name: 'rows', align: 'right' }], rows)}`;
}

function reasons(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, number]) => `${reason} ${count(number)}`)
    .join(', ');
}
