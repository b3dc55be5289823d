import { expect, test } from 'vitest';
import { pollRecord } from './introspection-poller.ts';

test('extra keeps unknown members of a pull and of its timeline, and times that cannot be parsed, each at a path of its own', () => {
  const pull = {
    status: 'success',
    range_start: 'soon',
    range_end: '2026-01-02T00:00:00Z',
    days_with_data: 1,
    release: null,
    trace_id: null,
    error_details: null,
    checked_at: 'a',
    'timeline.checked_at': 'b',
    started_at: 'c',
    timeline: { scheduled_at: '2026-01-01T00:00:00Z', started_at: 'late', ended_at: null, checked_at: 'd', range_start: 'e' },
  };
  const answer = { user_id: 'u', provider: { oura: { pulled: { sleep: pull }, not_pulled: [] } } };
  const asked = { askedAt: 1, servedAt: 1000 };
  const settings = { stale_after_h: 1, stalled_after_s: 1, stalled_after_h: 1 };
  const [read] = pollRecord(answer as never, asked, settings as never).pulls;
  expect(read).toMatchObject({ range_start: null, range_end: 1_767_312_000_000_000, started_at: null, ended_at: null });
  expect(JSON.parse(read!.extra!)).toEqual({
    range_start: 'soon',
    checked_at: 'a',
    'timeline~.checked_at': 'b',
    started_at: 'c',
    'timeline.started_at': 'late',
    'timeline.checked_at': 'd',
    'timeline.range_start': 'e',
  });
});
