import { describe, expect, test } from 'vitest';
import { CallSchedule, type NextCall } from './call-schedule.ts';
import type { UserStanding } from './tracker.ts';

const HOUR = 3_600_000;
const pace = { betweenCallsMs: 1000, fastestMs: 10_000, settledMs: 6 * HOUR, stalledMs: 24 * HOUR, pageUsers: 50 };
const settled: UserStanding = { openNews: null, unnamed: false, gone: false };
const moving = (at: number): UserStanding => ({ openNews: at * 1000, unnamed: false, gone: false });

/** Simulates calls from `from` until `until`, with an empty list of all users. Returns the times of each user's calls. */
function play(
  schedule: CallSchedule,
  from: number,
  until: number,
  heard: (userId: string, now: number) => UserStanding,
): Map<string, number[]> {
  const asked = new Map<string, number[]>();
  for (let now = from; now < until; ) {
    const step: NextCall = schedule.next(now);
    if (step.ask === 'nothing') now = step.at;
    else if (step.ask === 'page') schedule.sweepEnded(now, true);
    else {
      asked.set(step.userId, [...(asked.get(step.userId) ?? []), now]);
      schedule.answered(step.userId, now);
      schedule.update(step.userId, heard(step.userId, now), now);
    }
  }
  return asked;
}

describe('the schedule', () => {
  test('polls a user at once after news, and less often as the news gets older', () => {
    const schedule = new CallSchedule(pace);
    schedule.update('u', moving(0), 0);
    const times = play(schedule, 0, 60 * HOUR, () => moving(0)).get('u')!;
    expect(times[0]).toBeLessThanOrEqual(1000);
    const gaps = times.slice(1).map((at, index) => at - times[index]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10_000);
    expect(gaps.slice(0, 3).every((gap) => gap <= 15_000)).toBe(true);
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(9 * HOUR);
    expect(times.length).toBeLessThan(70);
  });

  test('polls a user without active pulls at once when an event reports news', () => {
    const schedule = new CallSchedule(pace);
    schedule.update('u', settled, 0);
    play(schedule, 0, HOUR, () => settled);
    schedule.update('u', moving(HOUR), HOUR);
    expect(play(schedule, HOUR, HOUR + 60_000, () => moving(HOUR)).get('u')![0]).toBeLessThanOrEqual(HOUR + 1000);
  });

  test('stays within the rate limit even if many users are due', () => {
    const schedule = new CallSchedule(pace);
    for (let user = 0; user < 500; user++) schedule.update(`u-${user}`, moving(0), 0);
    let calls = 0;
    for (let now = 0; now < 60_000; now += 50) {
      const step = schedule.next(now);
      if (step.ask === 'nothing') continue;
      calls += 1;
      if (step.ask === 'page') schedule.sweepEnded(now, true);
      else schedule.answered(step.userId, now);
    }
    expect(calls).toBeLessThanOrEqual(60);
    expect(calls).toBeGreaterThanOrEqual(58);
  });

  test('polls users individually if they are missing from the list of all users', () => {
    const schedule = new CallSchedule(pace);
    const users = Array.from({ length: 300 }, (_, user) => `u-${user}`);
    for (const user of users) schedule.update(user, settled, 0);
    expect(play(schedule, 0, HOUR, () => settled).size).toBe(300);
  });

  test('does not poll a deleted user', () => {
    const schedule = new CallSchedule(pace);
    schedule.update('u', { ...settled, gone: true }, 0);
    expect(play(schedule, 0, 48 * HOUR, () => settled).size).toBe(0);
  });

  test('polls each of 100,000 users with active pulls within the time of two sweeps', () => {
    const [USERS, PAGE, LISTS] = [100_000, 50, 3];
    const schedule = new CallSchedule({ ...pace, pageUsers: PAGE, betweenCallsMs: 500, settledMs: HOUR });
    for (let user = 0; user < USERS; user++) schedule.update(`u-${user}`, moving(0), 0);
    /** Time of each user's last answer, recorded independently of the schedule. */
    const answeredAt = new Float64Array(USERS).fill(Number.NaN);
    const oldestAnswer = (): number => answeredAt.reduce((oldest, at) => Math.min(oldest, at));
    let [now, calls, page, lists, longestMs] = [0, 0, 0, 0, 0];
    const answer = (user: number): void => {
      if (!Number.isNaN(answeredAt[user]!)) longestMs = Math.max(longestMs, now - answeredAt[user]!);
      answeredAt[user] = now;
      schedule.answered(`u-${user}`, now);
    };
    while (lists < LISTS) {
      const step = schedule.next(now);
      if (step.ask === 'nothing') {
        now = step.at;
        continue;
      }
      calls += 1;
      if (step.ask === 'user') {
        answer(Number(step.userId.slice('u-'.length)));
        continue;
      }
      for (let user = page * PAGE; user < (page + 1) * PAGE; user++) answer(user);
      page += 1;
      // Halfway through the first sweep, half of the users have no answer yet.
      if (lists === 0 && page === 1000) expect(schedule.oldest()).toBeUndefined();
      if (page * PAGE < USERS) continue;
      page = 0;
      lists += 1;
      schedule.sweepEnded(now, true);
      expect(schedule.oldest()).toBe(oldestAnswer());
    }
    expect((calls - 1) * 500).toBeLessThanOrEqual(now);
    // A sweep of 2,000 pages at two calls per second takes 17 minutes. The pause between two sweeps is about as long.
    const listMs = (USERS / PAGE) * 500;
    expect(longestMs).toBeLessThanOrEqual(2.1 * listMs);
    expect(now).toBeLessThanOrEqual((LISTS + (LISTS - 1)) * 1.1 * listMs);
  });
});
