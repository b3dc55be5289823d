import { expect, test } from 'vitest';
import { dayOfSummary, listName, summaryResources } from './summary-forms.ts';

test('an answer names its list like the resource, except for meals', () => {
  expect(summaryResources).toHaveLength(9);
  expect(summaryResources.filter((resource) => listName(resource) !== resource)).toEqual(['meal']);
  expect(listName('meal')).toBe('meals');
});

test.each(['activity', 'sleep', 'workouts', 'body', 'meal'] as const)(
  'a range of dates selects %s by its local date',
  (resource) => {
    expect(dayOfSummary(resource, { calendar_date: '2026-01-31', time_start: '2026-02-01T01:00:00Z' })).toBe('2026-01-31');
  },
);

test('a range of dates selects a menstrual cycle by its first day', () => {
  expect(dayOfSummary('menstrual_cycle', { period_start: '2026-01-31', period_end: '2026-02-04' })).toBe('2026-01-31');
});

test('no range of dates applies to a profile', () => {
  expect(dayOfSummary('profile', { created_at: '2026-01-31T00:00:00+00:00' })).toBeUndefined();
});

test.each([
  ['the local date', '2026-01-31T22:30:00+00:00', 'Asia/Tokyo', '2026-02-01'],
  ['the local date', '2026-02-01T01:00:00.123456Z', 'America/New_York', '2026-01-31'],
  ['the date in UTC without a time zone', '2026-02-01T01:00:00+03:00', null, '2026-01-31'],
  ['the date in UTC without a time zone', '2026-02-01T01:00:00Z', undefined, '2026-02-01'],
  ['the date in UTC with an unknown time zone', '2026-02-01T01:00:00Z', 'Mars/Olympus', '2026-02-01'],
])('a range of dates selects a session by %s of its start %s in %s', (_, session_start, time_zone, date) => {
  expect(dayOfSummary('sleep_cycle', { session_start, time_zone })).toBe(date);
  expect(dayOfSummary('electrocardiogram', { session_start, time_zone })).toBe(date);
});
