import type { Connection, HistoricalCompletion, IntrospectionPoll } from '@aorta/schemas';
import { describe, expect, test } from 'vitest';
import { CallSchedule } from '../../pipelines/enrichment/historical-pulls/call-schedule.ts';
import { Tracker } from '../../pipelines/enrichment/historical-pulls/tracker.ts';
import { pullsOf } from './historical-pulls.ts';

/** Tests when the tracker and the schedule together ask the service about a user, and compares the states with the model. */

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const BASE = Date.UTC(2026, 2, 28, 12);
const pace = { betweenCallsMs: SECOND, fastestMs: 10 * SECOND, settledMs: 6 * HOUR, stalledMs: 24 * HOUR, pageUsers: 50 };
/** Shortest possible wait. A call was just made, so the next call waits for the minimum time between calls. */
const AT_ONCE = SECOND;
/** Maximum wait for a user with pulls in progress. */
const SOON = HOUR;

const RANGE = { range_start: (BASE - 90 * 24 * HOUR) * 1000, range_end: BASE * 1000 };
const receipt = (at: number) => ({
  source: 's',
  partition: '0',
  delivery_id: null,
  header_facts: 0,
  body_bytes: 0,
  body_crc32: 0,
  offset: at,
  received_at: (BASE + at) * 1000,
});

/** A record in one user's streams. `at` is in milliseconds since the start. */
type Happening =
  | { readonly at: number; readonly is: 'connected'; readonly status?: 'available' | 'unavailable' }
  | { readonly at: number; readonly is: 'completed'; readonly planned?: number }
  | {
      readonly at: number;
      readonly is: 'answered';
      readonly pulls?: readonly string[];
      readonly notPulled?: true;
      readonly planned?: number;
    };

const event = (event_type: string) => ({ event_type, team_id: null, user_id: 'u', client_user_id: null });

function addEvidence(tracker: Tracker, one: Happening): void {
  if (one.is === 'connected') {
    const resource_availability = JSON.stringify({ sleep: { status: one.status ?? 'available' } });
    const what = {
      receipt: receipt(one.at),
      event: event('provider.connection.created'),
      provider: 'oura',
      resource_availability,
    };
    tracker.add('connections', what as Connection);
  } else if (one.is === 'completed') {
    const what = { event: event('historical.data.sleep.created'), provider: 'oura', resource: 'sleep', is_final: true, ...RANGE };
    tracker.add('historical_completions', { receipt: receipt(one.at), ...what } as HistoricalCompletion);
  } else {
    const pulls = (one.pulls ?? []).map((status) => ({
      provider: 'oura',
      resource: 'sleep',
      status,
      scheduled_at: (BASE + (one.planned ?? 0)) * 1000,
      ...RANGE,
      started_at: null,
      ended_at: null,
      days_with_data: 7,
      error_details: null,
      release: null,
      trace_id: null,
      extra: null,
    }));
    const not_pulled = one.notPulled === true ? [{ provider: 'oura', resource: 'sleep' }] : [];
    const what = { reader: 1, user_id: 'u', gone: false, stale_at: 0, stalled_after_s: 0, not_pulled, pulls };
    tracker.add('introspection_polls', { receipt: receipt(one.at), ...what } as unknown as IntrospectionPoll);
  }
}

function evidenceOf(one: Happening): object[] {
  const at = (BASE + one.at) * 1000;
  const range = { rangeStart: RANGE.range_start, rangeEnd: RANGE.range_end };
  if (one.is === 'connected') return [{ kind: one.status === 'unavailable' ? 'unavailable' : 'expected', at }];
  if (one.is === 'completed') return [{ kind: 'completed', at, ...range }];
  const told = {
    scheduledAt: (BASE + (one.planned ?? 0)) * 1000,
    startedAt: null,
    endedAt: null,
    daysWithData: 7,
    errorDetails: null,
  };
  return [
    ...(one.pulls ?? []).map((status) => ({ kind: 'told', at, status, ...told, ...range })),
    ...(one.notPulled === true ? [{ kind: 'not_pulled', at }] : []),
  ];
}

/** Returns the milliseconds from the last record to the next request about the user. Records arrive in the given order. */
function askedAfter(happenings: readonly Happening[]): number {
  const tracker = new Tracker();
  const schedule = new CallSchedule(pace);
  let last = BASE;
  for (const one of happenings) {
    addEvidence(tracker, one);
    last = Math.max(last, BASE + one.at);
    const now = last;
    if (one.is === 'answered') schedule.answered('u', now);
    for (const [user, standing] of tracker.fold().users) schedule.update(user, standing, now);
  }
  for (let now = last; ; ) {
    const step = schedule.next(now);
    if (step.ask === 'user') return now - last;
    if (step.ask === 'page') schedule.sweepEnded(now, true);
    else now = step.at;
  }
}

const connected = { at: 0, is: 'connected' } as const;
/** The service was asked, but has no pull yet. */
const nothingYet = { at: MINUTE, is: 'answered' } as const;
const completed = { at: 10 * MINUTE, is: 'completed' } as const;

test('a pull that changes between open states for ever is asked about less and less often', () => {
  const states = ['scheduled', 'in_progress', 'retrying'];
  const changing = (hours: number): Happening[] =>
    Array.from({ length: hours }, (_, hour) => ({
      at: (hour + 1) * HOUR,
      is: 'answered' as const,
      pulls: [states[hour % states.length]!],
    }));
  expect(askedAfter(changing(3))).toBeLessThanOrEqual(SOON);
  expect(askedAfter(changing(20))).toBeGreaterThan(3 * HOUR);
  expect(askedAfter(changing(40))).toBeGreaterThanOrEqual(pace.settledMs);
});

describe('asking the service after a completion', () => {
  test('happens at once if the completion is provisional', () => {
    const happenings = [connected, nothingYet, completed];
    expect(pullsOf('oura', happenings.flatMap(evidenceOf)).at(-1)).toMatchObject({ state: 'success', provisional: true });
    expect(askedAfter(happenings)).toBeLessThanOrEqual(AT_ONCE);
  });

  test('happens at once if the completion may belong to an earlier connection', () => {
    const happenings: Happening[] = [connected, nothingYet, { at: HOUR, is: 'connected' }, { at: HOUR + MINUTE, is: 'answered' }];
    happenings.push({ at: HOUR + 10 * MINUTE, is: 'completed' });
    expect(pullsOf('oura', happenings.flatMap(evidenceOf)).at(-1)).toMatchObject({ perhaps: true });
    expect(askedAfter(happenings)).toBeLessThanOrEqual(AT_ONCE);
  });

  test('waits for the next sweep through all users if the completion ends a pull that introspection reports', () => {
    const happenings: Happening[] = [connected, { at: MINUTE, is: 'answered', pulls: ['in_progress'] }, completed];
    expect(pullsOf('oura', happenings.flatMap(evidenceOf)).at(-1)).toMatchObject({ state: 'success', provisional: false });
    expect(askedAfter(happenings)).toBeGreaterThanOrEqual(pace.settledMs);
  });

  test('waits for the next sweep through all users if introspection confirmed the completion', () => {
    const happenings: Happening[] = [connected, nothingYet, completed, { at: 11 * MINUTE, is: 'answered', pulls: ['success'] }];
    expect(pullsOf('oura', happenings.flatMap(evidenceOf)).at(-1)).toMatchObject({ state: 'success', provisional: false });
    expect(askedAfter(happenings)).toBeGreaterThanOrEqual(pace.settledMs);
  });
});

const notPulled = { at: MINUTE, is: 'answered', notPulled: true } as const;

describe('asking the service about a resource that it does not pull', () => {
  test('waits for the next sweep through all users', () => {
    expect(askedAfter([connected, notPulled])).toBeGreaterThanOrEqual(pace.settledMs);
  });

  test('happens at once if the provider of the resource is connected again', () => {
    expect(askedAfter([connected, notPulled, { at: HOUR, is: 'connected' }])).toBeLessThanOrEqual(AT_ONCE);
  });

  test('does not happen sooner if the first connection is reported twice', () => {
    expect(askedAfter([connected, notPulled, { at: 5 * MINUTE, is: 'connected' }])).toBeGreaterThanOrEqual(HOUR);
  });

  test('waits for the next sweep if the service has already repeated its answer after a new connection', () => {
    const again = { ...notPulled, at: HOUR + MINUTE };
    const happenings: Happening[] = [connected, notPulled, { at: HOUR, is: 'connected' }, again];
    expect(askedAfter(happenings)).toBeGreaterThanOrEqual(pace.settledMs);
    // The order in which the two streams are read does not matter.
    expect(askedAfter([connected, notPulled, again, { at: HOUR, is: 'connected' }])).toBeGreaterThanOrEqual(pace.settledMs);
  });

  test('happens soon if a later answer reports a pull of the resource', () => {
    expect(askedAfter([connected, notPulled, { at: HOUR, is: 'answered', pulls: ['scheduled'] }])).toBeLessThanOrEqual(SOON);
  });
});
