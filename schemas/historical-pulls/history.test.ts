import { describe, expect, test } from 'vitest';
import type { Evidence, ReportedEvidence } from './evidence.ts';
import { foldPulls } from './history.ts';

const minute = 60_000_000;
const T0 = Date.UTC(2026, 2, 28, 9) * 1000;
const at = (minutes: number): number => T0 + minutes * minute;
const R = { rangeStart: at(-200_000), rangeEnd: at(0) };

const told = (minutes: number, status: string, more: Partial<ReportedEvidence> = {}): ReportedEvidence => ({
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
  test('serviceSince is the time in the service’s answer, even if the answer arrives months later', () => {
    const times = { startedAt: at(1), endedAt: at(3) };
    const months = 150_000;
    expect(present([told(months, 'failure', times)])).toMatchObject({ since: at(months), serviceSince: at(3) });
    expect(present([told(months, 'in_progress', times)])).toMatchObject({ serviceSince: at(1) });
    expect(present([told(months, 'scheduled')])).toMatchObject({ serviceSince: at(0) });
    // A completion event does not contain a time from the service.
    expect(present([expected(0), completed(3)])).toMatchObject({ since: at(3), serviceSince: null });
    // The service's clock is ahead.
    expect(present([told(2, 'failure', { endedAt: at(9) })])).toMatchObject({ serviceSince: at(2) });
  });

  test('until a pull ends, its serviceRetryingSince is the end of the first failed attempt', () => {
    const first = told(10, 'retrying', { startedAt: at(1), endedAt: at(2), errorDetails: 'provider_unavailable' });
    const second = told(30, 'in_progress', { startedAt: at(20), endedAt: at(2) });
    const third = told(40, 'retrying', { startedAt: at(20), endedAt: at(35), errorDetails: 'transport_failure' });
    expect(present([first])).toMatchObject({ serviceSince: at(2), serviceRetryingSince: at(2) });
    expect(present([first, second, third])).toMatchObject({ serviceSince: at(35), serviceRetryingSince: at(2) });
    const end = told(60, 'success', { startedAt: at(50), endedAt: at(55) });
    expect(present([first, second, third, end])).toMatchObject({ serviceSince: at(55), serviceRetryingSince: null });
  });

  test('a pull has the trace id of its last relevant answer, and a new trace id alone is not a change', () => {
    const failed = told(10, 'retrying', { endedAt: at(2), traceId: 'trace-1' });
    expect(present([failed])).toMatchObject({ traceId: 'trace-1' });
    expect(steps([failed, told(20, 'retrying', { endedAt: at(2), traceId: 'trace-2' })])).toHaveLength(1);
    expect(present([failed, told(30, 'failure', { endedAt: at(25), traceId: 'trace-3' })])).toMatchObject({ traceId: 'trace-3' });
    expect(present([failed, completed(40)])).toMatchObject({ state: 'success', traceId: null });
  });

  test('a pull moves from expected to scheduled, in_progress and success', () => {
    const evidence = [expected(0), told(1, 'scheduled'), told(2, 'in_progress'), told(3, 'success', { daysWithData: 88 })];
    expect(steps(evidence)).toEqual([
      'null → expected',
      'expected → scheduled',
      'scheduled → in_progress',
      'in_progress → success',
    ]);
    expect(present(evidence)).toMatchObject({ state: 'success', since: at(3), daysWithData: 88, expectedAt: at(0) });
  });

  test('a retrying pull with endedAt is still retrying, and a later success adds a change', () => {
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

  test('retryingSince is the time of the first problem, even after further attempts', () => {
    const evidence = [told(1, 'retrying', { errorDetails: 'transport_failure' }), told(2, 'in_progress'), told(3, 'retrying')];
    expect(present(evidence)).toMatchObject({ state: 'retrying', since: at(3), retryingSince: at(1) });
  });

  describe('the time of the last progress', () => {
    const progressedAt = (...evidence: Evidence[]) => (present(evidence).progressedAt - T0) / minute;

    test.each([
      [['scheduled', 'in_progress']],
      [['scheduled', 'in_progress', 'retrying']],
      [['in_progress', 'paused']],
      [['retrying', 'in_progress', 'paused', 'scheduled']],
      [['retrying']],
    ])('does not change while a pull goes through %s again and again', (cycle) => {
      const rounds = Array.from({ length: 12 }, (_, round) => told(round + 1, cycle[round % cycle.length]!, { daysWithData: 3 }));
      expect(progressedAt(...rounds)).toBe(1);
      expect(progressedAt(expected(0), ...rounds)).toBe(1);
    });

    test('does not change if only the times or the errors of the attempts change', () => {
      const attempts = [1, 2, 3].flatMap((day) => [
        told(day * 10, 'in_progress', { startedAt: at(day * 10), endedAt: at(day * 10 - 1) }),
        told(day * 10 + 5, 'retrying', { startedAt: at(day * 10), endedAt: at(day * 10 + 4), errorDetails: `error ${day}` }),
      ]);
      expect(progressedAt(...attempts)).toBe(10);
    });

    test('changes only if more days have data than ever before', () => {
      const counting = (...days: (number | null)[]) =>
        progressedAt(...days.map((daysWithData, index) => told(index + 1, 'in_progress', { daysWithData })));
      expect(counting(null, 0, 0, 1, 1)).toBe(4);
      expect(counting(5, 0, 3, 5, 0, 5)).toBe(1);
      expect(counting(5, 0, 3, 6)).toBe(4);
      expect(counting(-5, -4, -3)).toBe(1);
    });

    test('changes with the first answer, with a part of the data, and with the outcome', () => {
      expect(progressedAt(expected(0), told(9, 'scheduled'))).toBe(9);
      const part: Evidence = { kind: 'completed_partly', at: at(7), ...R };
      expect(progressedAt(told(1, 'retrying'), part)).toBe(7);
      expect(progressedAt(told(1, 'retrying'), completed(8))).toBe(8);
      expect(progressedAt(told(1, 'retrying'), told(8, 'failure'), told(9, 'failure'))).toBe(8);
    });
  });

  test('a completion event does not say on how many days there is data', () => {
    const evidence = [told(1, 'in_progress', { daysWithData: 0 }), completed(8)];
    expect(present(evidence)).toMatchObject({ state: 'success', provisional: false, daysWithData: null });
  });

  test('the state depends on the status and never on the error details', () => {
    const details = (status: string, errorDetails: string) => present([told(1, status, { errorDetails })]);
    expect(details('retrying', 'never_heard_of')).toMatchObject({ state: 'retrying', errorClass: 'retriable' });
    expect(details('failure', 'never_heard_of')).toMatchObject({ state: 'failure', errorClass: 'final' });
    expect(details('retrying', 'unexpected_error')).toMatchObject({ state: 'retrying', errorClass: 'final' });
    expect(details('failure', 'transport_failure')).toMatchObject({ state: 'failure', errorClass: 'retriable' });
    expect(details('Retrying', 'transport_failure')).toMatchObject({ state: 'retrying', status: 'Retrying' });
    expect(details('paused', 'transport_failure')).toMatchObject({ state: 'unknown', status: 'paused' });
  });

  test('a pull with two different outcomes keeps the last outcome and sets contradictedAt', () => {
    expect(present([told(1, 'failure'), told(5, 'success')])).toMatchObject({ state: 'success', contradictedAt: at(5) });
    expect(present([completed(1), told(0.5, 'in_progress'), told(5, 'failure')])).toMatchObject({
      state: 'failure',
      contradictedAt: at(5),
    });
  });

  test('brokenAt is set when the connection breaks and cleared when the user connects again', () => {
    const broken: Evidence[] = [told(1, 'retrying'), { kind: 'connection_error', at: at(2) }];
    expect(present(broken)).toMatchObject({ state: 'retrying', brokenAt: at(2) });
    expect(present([...broken, { kind: 'connected', at: at(3) }])).toMatchObject({ state: 'retrying', brokenAt: null });
  });
});

describe('assigning evidence to pulls', () => {
  test('a completion ends the pull whose range is the same in whole seconds', () => {
    const off = { rangeStart: R.rangeStart + 400_000, rangeEnd: R.rangeEnd + 999_999 };
    expect(present([told(1, 'in_progress'), completed(2, off)])).toMatchObject({ state: 'success', provisional: false });
    const other = { rangeStart: R.rangeStart + 2_000_000, rangeEnd: R.rangeEnd };
    expect(present([told(1, 'in_progress'), completed(2, other)])).toMatchObject({ state: 'in_progress' });
  });

  test('the delayed completion of an old pull does not end the new pull', () => {
    const newPull = { scheduledAt: at(3000), rangeStart: at(-197_000), rangeEnd: at(3000) };
    const evidence = [expected(0), told(1, 'in_progress'), expected(3000), told(3001, 'in_progress', newPull), completed(3005)];
    const { pulls } = foldPulls('oura', 'sleep', evidence);
    expect(pulls.map(({ state }) => state)).toEqual(['success', 'in_progress']);
    // The same holds if introspection never reported the old pull.
    expect(present(evidence.toSpliced(1, 1))).toMatchObject({ state: 'in_progress', scheduledAt: at(3000) });
    expect(present([expected(3000), told(3001, 'in_progress', newPull), completed(3005)])).toMatchObject({
      state: 'in_progress',
    });
  });

  test('a completion ends neither of two open pulls with the same range until introspection reports the outcome', () => {
    const newPull = { scheduledAt: at(30) };
    const open = [expected(0), told(1, 'in_progress'), expected(30), told(31, 'in_progress', newPull), completed(35)];
    const states = (evidence: Evidence[]) =>
      foldPulls('oura', 'sleep', evidence).pulls.map(({ state, perhapsCompletedAt }) => [state, perhapsCompletedAt !== null]);
    expect(states(open)).toEqual([
      ['in_progress', true],
      ['in_progress', true],
    ]);
    expect(states([...open, told(40, 'success', newPull)])).toEqual([
      ['in_progress', true],
      ['success', false],
    ]);
  });

  test('a completion after a second connection may belong to the old pull, so it ends neither pull', () => {
    const evidence = [expected(0), told(1, 'in_progress'), expected(30), completed(31)];
    expect(foldPulls('oura', 'sleep', evidence).pulls).toMatchObject([
      { state: 'in_progress', perhapsCompletedAt: at(31) },
      { state: 'expected', perhapsCompletedAt: at(31) },
    ]);
    // There are two connections, but introspection reported only one pull.
    const seen = [expected(0), expected(30), told(31, 'in_progress', { scheduledAt: at(30) }), completed(32)];
    expect(present(seen)).toMatchObject({ state: 'in_progress', perhapsCompletedAt: at(32) });
  });

  test('a success from a completion alone is provisional until introspection reports the pull', () => {
    expect(present([completed(2)])).toMatchObject({ state: 'success', provisional: true, scheduledAt: null });
    expect(present([expected(0), completed(2)])).toMatchObject({ state: 'success', provisional: true, expectedAt: at(0) });
    expect(present([expected(0), completed(2), told(3, 'success')])).toMatchObject({
      state: 'success',
      provisional: false,
      scheduledAt: at(0),
    });
  });

  test('a new connection opens a new pull, but a repeated event of the same connection does not', () => {
    const once = [expected(0), told(1, 'success'), expected(1)];
    expect(foldPulls('oura', 'sleep', once).pulls).toHaveLength(1);
    expect(foldPulls('oura', 'sleep', [...once, expected(300)]).pulls.map(({ state }) => state)).toEqual(['success', 'expected']);
  });

  test('a late event of the only connection belongs to the first pull that introspection reported after the event', () => {
    expect(present([told(60, 'success'), expected(50)])).toMatchObject({ state: 'success', expectedAt: at(50) });
    expect(present([told(20, 'success'), expected(50)])).toMatchObject({ state: 'expected', expectedAt: at(50) });
  });
});

describe('exceptions for individual providers', () => {
  test('an early completion from Garmin does not end the pull', () => {
    expect(present([expected(0), completed(0)], 'garmin')).toMatchObject({ state: 'expected', announcedAt: at(0) });
    expect(present([completed(0)], 'garmin')).toMatchObject({ state: 'expected', announcedAt: at(0) });
    expect(present([expected(0), completed(0), told(3, 'success')], 'garmin')).toMatchObject({ state: 'success' });
  });

  test('a new connection to Garmin opens a new pull only if introspection reports that pull', () => {
    const again = [expected(0), completed(0), expected(3000)];
    expect(foldPulls('garmin', 'sleep', again).pulls).toMatchObject([{ state: 'expected', announcedAt: at(0) }]);
    const done = [expected(0), told(3, 'success'), expected(3000)];
    expect(foldPulls('garmin', 'sleep', done).pulls).toMatchObject([{ state: 'success', since: at(3) }]);
    const newPull = told(3001, 'in_progress', { scheduledAt: at(3000) });
    expect(foldPulls('garmin', 'sleep', [...done, newPull]).pulls.map(({ state }) => state)).toEqual(['success', 'in_progress']);
    expect(foldPulls('oura', 'sleep', done).pulls.map(({ state }) => state)).toEqual(['success', 'expected']);
  });

  test('`reports` is false for most resources of Polar and for the old Dexcom', () => {
    expect(present([expected(0)], 'polar', 'sleep').reports).toBe(true);
    expect(present([expected(0)], 'polar', 'activity').reports).toBe(false);
    expect(present([expected(0)], 'dexcom', 'glucose').reports).toBe(false);
    expect(present([expected(0)], 'dexcom_v3', 'glucose').reports).toBe(true);
  });

  test('knowsRetrying is false for connections from before 9 May 2025', () => {
    const old = Date.UTC(2025, 4, 8, 23, 59) * 1000;
    const failed = { scheduledAt: old };
    const connected = (when: number): Evidence => ({ kind: 'connected', at: when });
    expect(present([connected(old), told(1, 'failure', failed)]).knowsRetrying).toBe(false);
    expect(present([connected(old + 2 * minute), told(1, 'failure', failed)]).knowsRetrying).toBe(true);
    expect(present([told(1, 'failure', failed)]).knowsRetrying).toBe(false);
    expect(present([told(1, 'failure')]).knowsRetrying).toBe(null);
  });
});
