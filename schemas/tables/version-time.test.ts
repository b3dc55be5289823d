import { expect, test } from 'vitest';
import { versionTime } from './version-time.ts';

const receivedAt = Date.UTC(2026, 2, 28, 12) * 1000;
const updatedAt = Date.UTC(2026, 2, 28, 11) * 1000 + 123_456;
const summary = (verb: string, updated_at?: number | null) => ({
  receipt: { received_at: receivedAt },
  event: { event_type: `daily.data.activity.${verb}` },
  updated_at,
});

test('versionTime returns updated_at for every event type', () => {
  for (const verb of ['created', 'updated']) expect(versionTime(summary(verb, updatedAt), 'updated_at')).toBe(updatedAt);
  // 0 is a valid time, not a missing time.
  expect(versionTime(summary('updated', 0), 'updated_at')).toBe(0);
});

test('if updated_at is missing, versionTime is 0 for a created event and the time of receipt for any other event', () => {
  for (const absent of [null, undefined]) {
    expect(versionTime(summary('created', absent), 'updated_at')).toBe(0);
    expect(versionTime(summary('updated', absent), 'updated_at')).toBe(receivedAt);
    expect(versionTime(summary('recreated', absent), 'updated_at')).toBe(receivedAt);
    expect(versionTime(summary('created.late', absent), 'updated_at')).toBe(receivedAt);
  }
});

test('versionTime with order "received" ignores updated_at and the event type', () => {
  for (const verb of ['created', 'updated'])
    for (const updated of [updatedAt, null]) expect(versionTime(summary(verb, updated), 'received')).toBe(receivedAt);
});
