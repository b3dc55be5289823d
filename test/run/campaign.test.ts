import { expect, test } from 'vitest';
import { measureAgain } from './missed-times.ts';
import { type PartRun, withRun } from './record.ts';
import { addReport, noResults, type Results, root } from './results.ts';

const late = 'MissedTime: the failure took 5.1 s; the goal is 4 s\n    at stack';
const failing = (...messages: readonly string[]): Results['failures'] => [{ file: 'a.test.ts', name: 'answers', messages }];
const withFailures = (failures: Results['failures']): Results => ({ ...noResults(), passed: 3, failures });

test('a report counts passed, failed and skipped tests, and a file that could not be run', () => {
  const results = noResults();
  const outcome = (status: string, fullName: string) => ({
    status,
    fullName,
    failureMessages: status === 'failed' ? ['no'] : [],
  });
  const times = { startTime: 0, endTime: 1 };
  addReport(results, {
    testResults: [
      {
        name: `${root}/a.test.ts`,
        status: 'failed',
        ...times,
        assertionResults: [outcome('passed', 'one'), outcome('failed', 'two'), outcome('pending', 'three')],
      },
      { name: `${root}/b.test.ts`, status: 'failed', ...times, assertionResults: [] },
    ],
  });
  expect(results).toEqual({
    passed: 1,
    skipped: ['three'],
    failures: [
      { file: 'a.test.ts', name: 'two', messages: ['no'] },
      { file: 'b.test.ts', name: 'the file could not be run', messages: [] },
    ],
  });
});

test('a missed time counts as passed if the file passes alone', () => {
  const results = withFailures(failing(late));
  const ran: (readonly string[])[] = [];
  const missed = measureAgain(results, (files) => {
    ran.push(files);
    return noResults();
  });
  expect(ran).toEqual([['a.test.ts']]);
  expect(results).toEqual({ passed: 4, skipped: [], failures: [] });
  expect(missed).toEqual([
    { test: 'a.test.ts > answers', message: 'MissedTime: the failure took 5.1 s; the goal is 4 s', metAlone: true },
  ]);
});

test('a time that is missed again is a failure', () => {
  const results = withFailures(failing(late));
  const again = failing('MissedTime: the failure took 4.2 s; the goal is 4 s');
  expect(measureAgain(results, () => withFailures(again))).toMatchObject([{ metAlone: false }]);
  expect(results).toEqual({ passed: 3, skipped: [], failures: again });
});

test('a file with any other failure does not run again', () => {
  for (const failures of [failing('AssertionError: 3 is not 4'), [...failing(late), ...failing('no')], failing()]) {
    const results = withFailures(failures);
    expect(
      measureAgain(results, () => {
        throw new Error('ran again');
      }),
    ).toEqual([]);
    expect(results.failures).toEqual(failures);
  }
});

test('the record keeps the last run of each part, in the order of the parts', () => {
  const ran = (part: string, commit: string, rest: Partial<PartRun> = {}): PartRun => ({
    part,
    commit,
    day: '2026-11-26',
    machine: '2 × CPU',
    minutes: 3.14,
    results: withFailures([]),
    missed: [],
    ...rest,
  });
  const order = ['kafka', 'event-hubs', 'pulls'];
  const runs = [
    ran('pulls', '11111111'),
    ran('event-hubs', '22222222'),
    ran('pulls', '33333333 and changes', {
      results: withFailures(failing('no')),
      missed: [{ test: 'b.test.ts > waits', message: 'MissedTime: too | late', metAlone: true }],
    }),
  ];
  const rows = runs
    .reduce((record, run) => withRun(record, run, order), '')
    .split('\n')
    .slice(6);
  expect(rows).toEqual([
    '| event-hubs | 22222222 | 2026-11-26 | 2 × CPU | 3.1 | 3 | 0 | 0 |  |',
    '| pulls | 33333333 and changes | 2026-11-26 | 2 × CPU | 3.1 | 3 | 1 | 0 | b.test.ts > waits: MissedTime: too \\| late; met alone<br>failed: a.test.ts > answers |',
    '',
  ]);
});
