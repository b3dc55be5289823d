import { expect, test } from 'vitest';
import { otherBody } from './delivery-schedule.ts';
import { recording, type Seen, samplesOf, smooth } from './recording.fixture.ts';

const base = { seed: 3, people: 20, days: 5 };

/** Returns, for each summary with `updated_at`, the minutes from that time to the time of receipt. */
function delays(list: readonly Seen[]): number[] {
  return list
    .filter(({ body }) => typeof body.data.updated_at === 'string')
    .map(({ body, micros }) => (micros / 1000 - Date.parse(body.data.updated_at as string)) / 60_000);
}

const share = (list: readonly number[]) => list.filter((minutes) => minutes > 50).length / list.length;

test('without mishaps, every summary arrives within three minutes', () => {
  const list = delays(recording({ ...base, rates: smooth }));
  expect(list.length).toBeGreaterThan(1000);
  expect(Math.min(...list)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...list)).toBeLessThan(3);
});

test('late events and failed attempts occur at the configured rates', () => {
  const none = share(delays(recording({ ...base, rates: smooth })));
  const some = share(delays(recording({ ...base, rates: { ...smooth, late: 0.1, failedRetry: 0.1 } })));
  expect(none).toBe(0);
  // The expected share is 1 - 0.9 * 0.9, minus the events that would arrive after the end of the recording.
  expect(some).toBeGreaterThan(0.16);
  expect(some).toBeLessThan(0.21);
});

test('the retry of a failed attempt delivers an older version after a newer one', () => {
  const newest = new Map<string, string>();
  let older = 0;
  for (const { body } of recording({ ...base, rates: { ...smooth, failedRetry: 0.1 } })) {
    const { id, updated_at } = body.data as { id?: string; updated_at?: string };
    if (id === undefined || updated_at === undefined) continue;
    const before = newest.get(id);
    if (before !== undefined && Date.parse(updated_at) < Date.parse(before)) older++;
    else newest.set(id, updated_at);
  }
  expect(older).toBeGreaterThan(20);
});

test('in the oldest event format, which has no updated_at, only a first version can arrive after a newer version', () => {
  const last = new Map<string, number>();
  let [updates, lateFirsts] = [0, 0];
  for (const { body } of recording({ ...base, people: 60, rates: { ...smooth, late: 0.3, failedRetry: 0.3 } })) {
    if (!body.event_type.startsWith('daily.data.activity') || 'updated_at' in body.data) continue;
    const { id, calories_total } = body.data as { id: string; calories_total: number };
    const before = last.get(id);
    if (body.event_type.endsWith('.created')) {
      if (before !== undefined && before > calories_total) lateFirsts++;
      last.set(id, Math.max(before ?? 0, calories_total));
      continue;
    }
    expect(calories_total).toBeGreaterThanOrEqual(before ?? 0);
    last.set(id, calories_total);
    updates++;
  }
  expect(updates).toBeGreaterThan(50);
  expect(lateFirsts).toBeGreaterThan(5);
});

test('some heart rate events of a user arrive out of order', () => {
  const newest = new Map<string, number>();
  let back = 0;
  for (const seen of recording({ ...base, rates: { ...smooth, late: 0.1 } })) {
    const first = samplesOf(seen)[0]?.timestamp;
    if (!seen.body.event_type.startsWith('daily.data.heartrate.created') || first === undefined) continue;
    const key = JSON.stringify([seen.body.user_id, seen.body.data.source]);
    if (Date.parse(first) < (newest.get(key) ?? 0) - 86_400_000) back++;
    else newest.set(key, Math.max(newest.get(key) ?? 0, Date.parse(first)));
  }
  expect(back).toBeGreaterThan(10);
});

test('otherBody returns a copy with one changed value and does not modify the original body', () => {
  const data = { source: {}, data: [{ value: 5.1 }, { value: 6.3 }] };
  expect(otherBody(data)).toEqual({ source: {}, data: [{ value: 5.1 }, { value: 7.3 }] });
  expect(data.data[1]).toEqual({ value: 6.3 });
  expect(otherBody({ id: 'a', steps: 10, updated_at: 'x' })).toEqual({ id: 'a', steps: 11, updated_at: 'x' });
});
