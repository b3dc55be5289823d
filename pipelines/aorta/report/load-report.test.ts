import { expect, test } from 'vitest';
import { plainCall } from '../cli/printing/command-lines.ts';
import { addTallies, loadSummary, noTally, reportOf } from './load-report.ts';

const tally = { ...noTally, received: 3, streams: { activity: 3 } };

test('a summary and a report name the deliveries whose time of receipt is in the future, and only if there are any', () => {
  const report = reportOf(
    addTallies([
      { ...tally, ahead: 1 },
      { ...tally, ahead: 1 },
    ]),
    {},
  );
  expect(report).toMatchObject({ received: 6, received_ahead: 2 });
  expect(loadSummary(report, 5, plainCall).split('\n').slice(0, 2)).toEqual([
    'Received 6 deliveries in 5 ms: 6 kept.',
    'Received more than 5 minutes ahead of the clock of this computer: 2 deliveries. Check both clocks, because events with earlier times cannot replace these rows.',
  ]);
  const usual = reportOf(tally, {});
  expect(usual.received_ahead).toBeUndefined();
  expect(loadSummary(usual, 5, plainCall)).not.toContain('ahead');
});
