import { describe, expect, test } from 'vitest';
import type { Evidence, ToldEvidence } from './evidence.ts';
import { foldPulls } from './history.ts';

const minute = 60_000_000;
const T0 = Date.UTC(2026, 2, 28, 9) * 1000;
const at = (minutes: number): number => T0 + minutes * minute;
const R = { rangeStart: at(-200_000), rangeEnd: at(0) };

const told = (minutes: number, status: string, more: Partial<ToldEvidence> = {}): ToldEvidence => ({
  kind: 'told',
  at: at(minutes),
  status,
  scheduledAt: at(0),
  ...R,
  startedAt: null,
  endedAt: null,
  daysWithData: null,
  errorDetails: null,
  ...more,
});
const completed = (minutes: number, range = R): Evidence => ({ kind: 'completed', at: at(minutes), ...range });
const expected = (minutes: number): Evidence => ({ kind: 'expected', at: at(minutes) });
const present = (evidence: Evidence[], provider = 'oura', resource = 'sleep') =>
  foldPulls(provider, resource, evidence).pulls.at(-1)!;
const steps = (evidence: Evidence[], provider = 'oura') =>
  foldPulls(provider, 'sleep', evidence).changes.map(({ from, to }) => `${from} → ${to}`);

describe('one pull', () => {
  test('takes the time of its state from the service: the first answer about it may come months later', () => {
    const times = { startedAt: at(1), endedAt: at(3) };
    const months = 150_000;
    expect(present([told(months, 'failure', times)])).toMatchObject({ since: at(months), serviceSince: at(3) });
    expect(present([told(months, 'in_progress', times)])).toMatchObject({ serviceSince: at(1) });
    expect(present([told(months, 'scheduled')])).toMatchObject({ serviceSince: at(0) });
    // An event says when it happened by its receipt alone.
    expect(present([expected(0), completed(3)])).toMatchObject({ since: at(3), serviceSince: null });
    // A clock of the service that runs ahead.
    expect(present([told(2, 'failure', { endedAt: at(9) })])).toMatchObject({ serviceSince: at(2) });
  });

  test('has been retrying since its first failed attempt ended, through the attempts after it, until it ends', () => {
    const first = told(10, 'retrying', { startedAt: at(1), endedAt: at(2), errorDetails: 'provider_unavailable' });
    const second = told(30, 'in_progress', { startedAt: at(20), endedAt: at(2) });
    const third = told(40, 'retrying', { startedAt: at(20), endedAt: at(35), errorDetails: 'transport_failure' });
    expect(present([first])).toMatchObject({ serviceSince: at(2), serviceRetryingSince: at(2) });
    expect(present([first, second, third])).toMatchObject({ serviceSince: at(35), serviceRetryingSince: at(2) });
    const end = told(60, 'success', { startedAt: at(50), endedAt: at(55) });
    expect(present([first, second, third, end])).toMatchObject({ serviceSince: at(55), serviceRetryingSince: null });
  });

  test('knows the trace id of the last answer that counted, which is no news by itself', () => {
    const failed = told(10, 'retrying', { endedAt: at(2), traceId: 'trace-1' });
    expect(present([failed])).toMatchObject({ traceId: 'trace-1' });
    expect(steps([failed, told(20, 'retrying', { endedAt: at(2), traceId: 'trace-2' })])).toHaveLength(1);
    expect(present([failed, told(30, 'failure', { endedAt: at(25), traceId: 'trace-3' })])).toMatchObject({ traceId: 'trace-3' });
    expect(present([failed, completed(40)])).toMatchObject({ state: 'success', traceId: null });
  });

  test('goes from the connection to its end', () => {
    const evidence = [expected(0), told(1, 'scheduled'), told(2, 'in_progress'), told(3, 'success', { daysWithData: 88 })];
    expect(steps(evidence)).toEqual([
      'null → expected',
      'expected → scheduled',
      'scheduled → in_progress',
      'in_progress → success',
    ]);
    expect(present(evidence)).toMatchObject({ state: 'success', since: at(3), daysWithData: 88, expectedAt: at(0) });
  });

  test('that is retrying with its end set is retrying, and the success that follows keeps both changes', () => {
    const retrying = told(2, 'retrying', {
      startedAt: at(1),
      endedAt: at(1.5),
      errorDetails: 'provider_rate_limit_exceeded',
    });
    expect(present([retrying])).toMatchObject({ state: 'retrying', retryingSince: at(2), errorClass: 'retriable' });
    const evidence = [retrying, told(9, 'success', { endedAt: at(8) })];
    expect(steps(evidence)).toEqual(['null → retrying', 'retrying → success']);
    expect(present(evidence)).toMatchObject({ state: 'success', retryingSince: null, errorDetails: null });
    expect(present([...evidence, told(12, 'in_progress')])).toMatchObject({ state: 'success', since: at(9) });
  });

  test('is retrying from its first problem on, through the attempts in between', () => {
    const evidence = [told(1, 'retrying', { errorDetails: 'transport_failure' }), told(2, 'in_progress'), told(3, 'retrying')];
    expect(present(evidence)).toMatchObject({ state: 'retrying', since: at(3), retryingSince: at(1) });
  });

  test('takes its state from the status, never from the error', () => {
    const details = (status: string, errorDetails: string) => present([told(1, status, { errorDetails })]);
    expect(details('retrying', 'never_heard_of')).toMatchObject({ state: 'retrying', errorClass: 'retriable' });
    expect(details('failure', 'never_heard_of')).toMatchObject({ state: 'failure', errorClass: 'final' });
    expect(details('retrying', 'unexpected_error')).toMatchObject({ state: 'retrying', errorClass: 'final' });
    expect(details('failure', 'transport_failure')).toMatchObject({ state: 'failure', errorClass: 'retriable' });
    expect(details('Retrying', 'transport_failure')).toMatchObject({ state: 'retrying', status: 'Retrying' });
    expect(details('paused', 'transport_failure')).toMatchObject({ state: 'unknown', status: 'paused' });
  });

  test('that ended in one way and then in the other says so', () => {
    expect(present([told(1, 'failure'), told(5, 'success')])).toMatchObject({ state: 'success', contradictedAt: at(5) });
    expect(present([completed(1), told(0.5, 'in_progress'), told(5, 'failure')])).toMatchObject({
      state: 'failure',
      contradictedAt: at(5),
    });
  });

  test('whose connection broke says so until it is made again', () => {
    const broken: Evidence[] = [told(1, 'retrying'), { kind: 'connection_error', at: at(2) }];
    expect(present(broken)).toMatchObject({ state: 'retrying', brokenAt: at(2) });
    expect(present([...broken, { kind: 'connected', at: at(3) }])).toMatchObject({ state: 'retrying', brokenAt: null });
  });
});

describe('which pull', () => {
  test('a completion ends the pull of its range, compared in whole seconds', () => {
    const off = { rangeStart: R.rangeStart + 400_000, rangeEnd: R.rangeEnd + 999_999 };
    expect(present([told(1, 'in_progress'), completed(2, off)])).toMatchObject({ state: 'success', provisional: false });
    const other = { rangeStart: R.rangeStart + 2_000_000, rangeEnd: R.rangeEnd };
    expect(present([told(1, 'in_progress'), completed(2, other)])).toMatchObject({ state: 'in_progress' });
  });

  test('the delayed completion of an old pull does not complete the new one', () => {
    const anew = { scheduledAt: at(3000), rangeStart: at(-197_000), rangeEnd: at(3000) };
    const evidence = [expected(0), told(1, 'in_progress'), expected(3000), told(3001, 'in_progress', anew), completed(3005)];
    const { pulls } = foldPulls('oura', 'sleep', evidence);
    expect(pulls.map(({ state }) => state)).toEqual(['success', 'in_progress']);
    // Nobody has seen the old one by introspection: it is still not the new one's.
    expect(present(evidence.toSpliced(1, 1))).toMatchObject({ state: 'in_progress', scheduledAt: at(3000) });
    expect(present([expected(3000), told(3001, 'in_progress', anew), completed(3005)])).toMatchObject({ state: 'in_progress' });
  });

  test('of two open pulls of one range none is ended by a completion, before introspection names one', () => {
    const anew = { scheduledAt: at(30) };
    const open = [expected(0), told(1, 'in_progress'), expected(30), told(31, 'in_progress', anew), completed(35)];
    const states = (evidence: Evidence[]) =>
      foldPulls('oura', 'sleep', evidence).pulls.map(({ state, perhapsCompletedAt }) => [state, perhapsCompletedAt !== null]);
    expect(states(open)).toEqual([
      ['in_progress', true],
      ['in_progress', true],
    ]);
    expect(states([...open, told(40, 'success', anew)])).toEqual([
      ['in_progress', true],
      ['success', false],
    ]);
  });

  test('a completion before the new pull is named may be the old one’s', () => {
    const evidence = [expected(0), told(1, 'in_progress'), expected(30), completed(31)];
    expect(foldPulls('oura', 'sleep', evidence).pulls).toMatchObject([
      { state: 'in_progress', perhapsCompletedAt: at(31) },
      { state: 'expected', perhapsCompletedAt: at(31) },
    ]);
    // Two connections, and only one pull was ever seen.
    const seen = [expected(0), expected(30), told(31, 'in_progress', { scheduledAt: at(30) }), completed(32)];
    expect(present(seen)).toMatchObject({ state: 'in_progress', perhapsCompletedAt: at(32) });
  });

  test('a completion that nothing names is provisional, until introspection names its pull', () => {
    expect(present([completed(2)])).toMatchObject({ state: 'success', provisional: true, scheduledAt: null });
    expect(present([expected(0), completed(2)])).toMatchObject({ state: 'success', provisional: true, expectedAt: at(0) });
    expect(present([expected(0), completed(2), told(3, 'success')])).toMatchObject({
      state: 'success',
      provisional: false,
      scheduledAt: at(0),
    });
  });

  test('a connection made again opens a new pull, the same news twice does not', () => {
    const once = [expected(0), told(1, 'success'), expected(1)];
    expect(foldPulls('oura', 'sleep', once).pulls).toHaveLength(1);
    expect(foldPulls('oura', 'sleep', [...once, expected(300)]).pulls.map(({ state }) => state)).toEqual(['success', 'expected']);
  });

  test('the news of the first connection may come after its pull', () => {
    expect(present([told(60, 'success'), expected(50)])).toMatchObject({ state: 'success', expectedAt: at(50) });
    expect(present([told(20, 'success'), expected(50)])).toMatchObject({ state: 'expected', expectedAt: at(50) });
  });
});

describe('what providers do differently', () => {
  test('the end that Garmin announces at once does not mean data', () => {
    expect(present([expected(0), completed(0)], 'garmin')).toMatchObject({ state: 'expected', announcedAt: at(0) });
    expect(present([completed(0)], 'garmin')).toMatchObject({ state: 'expected', announcedAt: at(0) });
    expect(present([expected(0), completed(0), told(3, 'success')], 'garmin')).toMatchObject({ state: 'success' });
  });

  test('Garmin pulls nothing anew when it is connected again, unless introspection tells of it', () => {
    const again = [expected(0), completed(0), expected(3000)];
    expect(foldPulls('garmin', 'sleep', again).pulls).toMatchObject([{ state: 'expected', announcedAt: at(0) }]);
    const done = [expected(0), told(3, 'success'), expected(3000)];
    expect(foldPulls('garmin', 'sleep', done).pulls).toMatchObject([{ state: 'success', since: at(3) }]);
    const anew = told(3001, 'in_progress', { scheduledAt: at(3000) });
    expect(foldPulls('garmin', 'sleep', [...done, anew]).pulls.map(({ state }) => state)).toEqual(['success', 'in_progress']);
    expect(foldPulls('oura', 'sleep', done).pulls.map(({ state }) => state)).toEqual(['success', 'expected']);
  });

  test('of most resources of Polar and of old Dexcom nothing is ever heard', () => {
    expect(present([expected(0)], 'polar', 'sleep').reports).toBe(true);
    expect(present([expected(0)], 'polar', 'activity').reports).toBe(false);
    expect(present([expected(0)], 'dexcom', 'glucose').reports).toBe(false);
    expect(present([expected(0)], 'dexcom_v3', 'glucose').reports).toBe(true);
  });

  test('connections from before 9 May 2025 do not know retrying', () => {
    const old = Date.UTC(2025, 4, 8, 23, 59) * 1000;
    const failed = { scheduledAt: old };
    const connected = (when: number): Evidence => ({ kind: 'connected', at: when });
    expect(present([connected(old), told(1, 'failure', failed)]).knowsRetrying).toBe(false);
    expect(present([connected(old + 2 * minute), told(1, 'failure', failed)]).knowsRetrying).toBe(true);
    expect(present([told(1, 'failure', failed)]).knowsRetrying).toBe(false);
    expect(present([told(1, 'failure')]).knowsRetrying).toBe(null);
  });
});
