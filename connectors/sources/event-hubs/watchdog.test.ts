import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Watchdog, type WatchdogDecision } from './watchdog.ts';

const limits = { stalledMs: 10_000, heardEveryMs: 2000, openings: 2 };

/** Runs `before` and a check every half second. Returns all decisions other than `well`. */
function watch(watchdog: Watchdog, from: number, to: number, before: (now: number) => void): [number, WatchdogDecision][] {
  const decided: [number, WatchdogDecision][] = [];
  for (let now = from; now <= to; now += 500) {
    before(now);
    const verdict = watchdog.decide(now);
    if (verdict !== 'well') decided.push([now, verdict]);
  }
  return decided;
}

describe('a watched partition', () => {
  test('the decision stays `well` for hours without events as long as the client calls the handler', () => {
    const watchdog = new Watchdog(limits, 0, 5);
    const decided = watch(watchdog, 0, 3_600_000, (now) => {
      if (now % 1000 === 0) watchdog.heard(now, 5);
      if (now % 3000 === 0) watchdog.logEnds(now, 5);
    });
    expect(decided).toEqual([]);
  });

  test('a working link that goes silent is reopened, and the new link has `stalledMs` to connect', () => {
    const watchdog = new Watchdog(limits, 0, 5);
    const decided = watch(watchdog, 0, 30_000, (now) => {
      if (now <= 5000) watchdog.heard(now, 5);
    });
    expect(decided).toEqual([
      [7000, 'reopen'],
      [17_000, 'reopen'],
      [27_000, 'reopen'],
    ]);
  });

  test('if events in the log do not arrive, the link is reopened twice, and then the process is restarted', () => {
    const watchdog = new Watchdog(limits, 0, 5);
    const decided = watch(watchdog, 0, 33_000, (now) => {
      watchdog.heard(now, 5);
      if (now % 3000 === 0) watchdog.logEnds(now, now < 3000 ? 5 : 9);
    });
    expect(decided).toEqual([
      [13_000, 'reopen'],
      [23_000, 'reopen'],
      [33_000, 'restart'],
    ]);
    expect(watchdog.behind).toBe(4);
  });

  test('an unreachable hub does not cause a restart of the process', () => {
    const watchdog = new Watchdog(limits, 0, 5);
    watchdog.logEnds(0, 9);
    const decided = watch(watchdog, 0, 60_000, () => {});
    expect(new Set(decided.map(([, verdict]) => verdict))).toEqual(new Set(['reopen']));
    expect(decided.length).toBeGreaterThan(3);
  });

  test('the decision is `well` while the link waits for this process, and for `heardEveryMs` afterwards', () => {
    const watchdog = new Watchdog(limits, 0, 5);
    watchdog.heard(0, 5);
    watchdog.logEnds(0, 100);
    watchdog.pause();
    expect(watch(watchdog, 0, 100_000, () => {})).toEqual([]);
    watchdog.resume(100_000);
    expect(watch(watchdog, 100_500, 101_500, () => {})).toEqual([]);
    expect(watch(watchdog, 102_000, 102_000, () => {})).toEqual([[102_000, 'reopen']]);
  });

  test('the decision is `well` if no check ran for a while', () => {
    const watchdog = new Watchdog(limits, 0, 5);
    watchdog.heard(0, 5);
    expect(watchdog.decide(500)).toBe('well');
    expect(watchdog.decide(60_000)).toBe('well');
    expect(watchdog.decide(60_500)).toBe('well');
  });

  test('an event resets the count of reopenings', () => {
    const watchdog = new Watchdog(limits, 0, 0);
    let next = 0;
    const decided = watch(watchdog, 0, 200_000, (now) => {
      // Each newly opened link delivers a single event.
      if (now % 15_000 === 0) next += 1;
      watchdog.heard(now, next);
      if (now % 3000 === 0) watchdog.logEnds(now, 1000);
    });
    expect(decided.length).toBeGreaterThan(5);
    expect(decided.filter(([, verdict]) => verdict === 'restart')).toEqual([]);
  });
});

test('unexpected silence is detected within the limit plus one check interval, in any sequence of events', () => {
  // What can happen to a partition within a second.
  const second = fc.record({
    heard: fc.boolean(),
    event: fc.boolean(),
    ahead: fc.nat(3),
    asked: fc.boolean(),
    paused: fc.constantFrom('pause', 'resume', undefined, undefined, undefined),
  });
  let answered = 0;
  fc.assert(
    fc.property(fc.array(second, { minLength: 30, maxLength: 90 }), (life) => {
      const watchdog = new Watchdog(limits, 0, 0);
      let [next, end] = [0, 0];
      let owedSince: number | undefined;
      for (const [index, happens] of life.entries()) {
        const now = index * 1000;
        end += happens.ahead;
        if (happens.paused === 'pause') watchdog.pause();
        if (happens.paused === 'resume') watchdog.resume(now);
        const moved = happens.heard && happens.event && next < end;
        if (moved) next += 1;
        if (happens.heard) watchdog.heard(now, next);
        if (happens.asked) watchdog.logEnds(now, end);
        const owed = !watchdog.paused && watchdog.behind > 0 && !moved;
        owedSince = owed ? (owedSince ?? now) : undefined;
        const verdict = watchdog.decide(now);
        if (verdict !== 'well') {
          answered += 1;
          owedSince = undefined;
        }
        if (owedSince !== undefined) expect(now - owedSince).toBeLessThanOrEqual(limits.stalledMs + 1000);
      }
    }),
  );
  expect(answered).toBeGreaterThan(100);
});
