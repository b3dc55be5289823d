import { count, counted, duration } from '@aorta/runtime/quantity';
import { deadLetterCount, type LoadReport, refusedParts, sum } from '../../report/load-report.ts';
import { type Call, commandLine } from './command-lines.ts';
import { table } from './table.ts';

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
