import { expect, test } from 'vitest';
import { RequestLog } from './request-log.ts';

const request = { at: 0, method: 'GET', target: '/', team_id: null, key_header: null };
const numbers = (log: RequestLog, after: number, limit?: number): number[] => log.after(after, limit).map(({ number }) => number);

test('the log returns the requests after a number, the oldest first', () => {
  const log = new RequestLog();
  expect(numbers(log, 0)).toEqual([]);
  for (let time = 0; time < 5; time += 1) log.add(request);
  expect(numbers(log, 0)).toEqual([1, 2, 3, 4, 5]);
  expect(numbers(log, 2)).toEqual([3, 4, 5]);
  expect(numbers(log, 2, 2)).toEqual([3, 4]);
  expect(numbers(log, 5)).toEqual([]);
  expect(numbers(log, 9)).toEqual([]);
});

test('the log keeps the last 10,000 requests, and notes a status only in its own request', () => {
  const log = new RequestLog();
  const notes = Array.from({ length: 25_001 }, () => log.add(request));
  expect(numbers(log, 0)).toHaveLength(10_000);
  expect([numbers(log, 0)[0], numbers(log, 0).at(-1)]).toEqual([15_002, 25_001]);
  expect(numbers(log, 20_000, 2)).toEqual([20_001, 20_002]);
  notes[0]!(500);
  notes[20_000]!(204);
  expect(log.after(0).filter(({ status }) => status !== null)).toEqual([{ ...request, number: 20_001, status: 204 }]);
});
