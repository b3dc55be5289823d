import { allowed, shortcomings, slowSteps, type Trickle } from '../faults/trickle.ts';

/** Returns the results of {@link trickle} as a Markdown page. */
export function growthRecord(trickled: Trickle, heading: readonly string[]): string[] {
  const { events, minutes, first, second, log, atOnce, held, stood, nextStart } = trickled;
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  const missed = [...shortcomings(trickled), ...slowSteps(trickled)];
  return [
    '# Growth of the DuckDB file',
    '',
    'Written by `npm run soak -- growth`: the last one.',
    '',
    ...heading,
    `- ${events.toLocaleString('en')} events trickled into the warehouse in ${minutes} minutes, out of three streams of 12 partitions.`,
    `- ${missed.length === 0 ? 'All limits are met.' : `**Missed**: ${missed.join('; ')}.`}`,
    '',
    '| what | |',
    '| --- | ---: |',
    `| file at most in the first half of the time | ${megabytes(first)} MB |`,
    `| file at most in the second half | ${megabytes(second)} MB |`,
    `| file of the same events, loaded at once | ${megabytes(atOnce)} MB |`,
    `| file allowed | ${megabytes(allowed(trickled))} MB |`,
    `| write-ahead log at most | ${megabytes(log)} MB |`,
    `| one landing took at most | ${Math.round(held)} ms |`,
    `| from one landing to the next at most | ${Math.round(stood)} ms |`,
    `| processor time of the next start | ${nextStart.toFixed(1)} s |`,
    '',
  ];
}
