import type { Missed } from './missed-times.ts';
import { type Results, titleOf } from './results.ts';

/** One run of a part of the campaign. */
export interface PartRun {
  readonly part: string;
  readonly commit: string;
  /** For example `2026-11-26`. */
  readonly day: string;
  readonly machine: string;
  readonly minutes: number;
  readonly results: Results;
  readonly missed: readonly Missed[];
}

const heading = [
  '# Campaign',
  '',
  '`npm run test:campaign` writes this page. Each row shows the last run of a part. If a test did not meet its goal in seconds while other tests ran, it ran again, alone. The last column lists these missed times.',
  '',
  '| part | commit | date | machine | minutes | passed | failed | skipped | missed times, failures |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];

/** Returns the record with this run in place of the part's last run. The rows have the given order. */
export function withRun(record: string, run: PartRun, order: readonly string[]): string {
  const rows = new Map(record.split('\n').flatMap((line) => (rowOf(line) === undefined ? [] : [[rowOf(line)!, line]])));
  rows.set(run.part, row(run));
  return [...heading, ...order.flatMap((part) => rows.get(part) ?? []), ''].join('\n');
}

/** Returns the part that a row is about, or undefined for other lines. */
const rowOf = (line: string): string | undefined => /^\| ([a-z-]+) \| [0-9a-f]{8}/.exec(line)?.[1];

function row({ part, commit, day, machine, minutes, results: { passed, failures, skipped }, missed }: PartRun): string {
  const remarks = [
    ...missed.map(({ test, message, metAlone }) => `${test}: ${message}; ${metAlone ? 'met' : 'missed again'} alone`),
    ...failures.map((failure) => `failed: ${titleOf(failure)}`),
  ].map((remark) => remark.replaceAll('|', '\\|'));
  const cells = [part, commit, day, machine, minutes.toFixed(1), passed, failures.length, skipped.length, remarks.join('<br>')];
  return `| ${cells.join(' | ')} |`;
}
