import { Progress } from '@aorta/runtime';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchBrokers } from './kafka-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('readiness fails when the brokers have not answered for a minute, and recovers when they answer again', async () => {
  const progress = new Progress();
  let topics: () => Promise<readonly string[]> = async () => [];
  const end = watchBrokers({ topics: () => topics() }, progress, 'streams');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(progress.stalls()).toEqual([]);
  topics = () => new Promise(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(progress.stalls()).toEqual([]);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(progress.stalls().map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^streams has waited for 6\d s \(limit 60 s\): the brokers of the streams do not answer$/),
  ]);
  topics = async () => [];
  await vi.advanceTimersByTimeAsync(9_000);
  expect(progress.stalls()).toEqual([]);
  end();
});

test('readiness does not fail if the brokers answer only every other request, as in a rolling restart', async () => {
  const progress = new Progress();
  let asked = 0;
  const topics = (): Promise<readonly string[]> => (++asked % 2 === 0 ? Promise.resolve([]) : Promise.reject(new Error('away')));
  const end = watchBrokers({ topics }, progress, 'streams');
  const seen: unknown[] = [];
  for (let second = 0; second < 180; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    seen.push(...progress.stalls());
  }
  expect(seen).toEqual([]);
  expect(asked).toBeGreaterThan(50);
  end();
});

test('a stopped broker watch no longer reports unanswered requests and sends no new ones', async () => {
  const progress = new Progress();
  const topics = vi.fn(() => Promise.reject(new Error('away')));
  const end = watchBrokers({ topics }, progress, 'streams');
  await vi.advanceTimersByTimeAsync(6_000);
  expect(progress.waits()).toHaveLength(1);
  end();
  const asked = topics.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([progress.waits(), topics.mock.calls.length]).toEqual([[], asked]);
});
