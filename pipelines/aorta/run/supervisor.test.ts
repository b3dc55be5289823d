import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exit } from '../cli/exit.ts';
import { begin, type Ending, type Happening, isCrash, type Order, STEADY_MS, supervision } from './supervisor.ts';

/** Passes the events to `supervision`, from the initial state on, and returns all resulting orders. */
function ordered(happenings: readonly Happening[]): Order[] {
  let state = begin(0);
  return happenings.flatMap((happening) => {
    const { state: next, orders } = supervision(state, happening);
    state = next;
    return orders;
  });
}

const killed: Ending = { signal: 'SIGKILL' };

test('only unexpected signals and exit codes count as crashes', () => {
  const crashes: Ending[] = [
    killed,
    { signal: 'SIGSEGV' },
    { signal: 'SIGABRT' },
    { code: exit.crashed },
    { code: exit.tryAgain },
    { code: 134 },
  ];
  const ends: Ending[] = [0, 1, 2, 3, 130, 143].map((code) => ({ code }));
  expect(crashes.filter((ending) => !isCrash(ending))).toEqual([]);
  expect([...ends, { signal: 'SIGTERM' }, { signal: 'SIGINT' }].filter((ending) => isCrash(ending as Ending))).toEqual([]);
});

describe('the pause before a restart', () => {
  test('doubles from 250 ms to 30 s over consecutive crashes', () => {
    let at = 0;
    const lives = Array.from({ length: 11 }, (): Happening[] => {
      at += 2_000;
      return [
        { kind: 'ended', ending: killed, at },
        { kind: 'rested', at },
      ];
    });
    const rests = ordered(lives.flat()).flatMap((order) => (order.kind === 'rest' ? [order.milliseconds] : []));
    expect(rests).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  test('is reset to zero if the crashed process had run for a minute', () => {
    const happenings: Happening[] = [
      { kind: 'ended', ending: killed, at: 1 },
      { kind: 'rested', at: 1 },
      { kind: 'ended', ending: killed, at: 2 },
      { kind: 'rested', at: 252 },
      { kind: 'ended', ending: killed, at: 252 + STEADY_MS },
    ];
    expect(ordered(happenings)).toEqual([
      { kind: 'rest', milliseconds: 0, restarts: 1 },
      { kind: 'start', restarts: 1 },
      { kind: 'rest', milliseconds: 250, restarts: 2 },
      { kind: 'start', restarts: 2 },
      { kind: 'rest', milliseconds: 0, restarts: 3 },
    ]);
  });
});

test('a stop request ends supervision when the worker ends, or at once if no worker is running', () => {
  expect(
    ordered([
      { kind: 'stop', signal: 'SIGTERM' },
      { kind: 'stop', signal: 'SIGINT' },
      { kind: 'ended', ending: killed, at: 5 },
    ]),
  ).toEqual([
    { kind: 'pass-on', signal: 'SIGTERM' },
    { kind: 'pass-on', signal: 'SIGINT' },
    { kind: 'end', ending: killed },
  ]);
  expect(
    ordered([
      { kind: 'ended', ending: killed, at: 5 },
      { kind: 'stop', signal: 'SIGINT' },
      { kind: 'rested', at: 6 },
    ]),
  ).toEqual([
    { kind: 'rest', milliseconds: 0, restarts: 1 },
    { kind: 'end', ending: { signal: 'SIGINT' } },
  ]);
});

test('in any sequence of events, at most one worker runs at a time, and no worker starts after a stop request', () => {
  const happening = fc.oneof(
    // Mostly crashes and restarts, because a stop or a normal exit ends supervision.
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('ended' as const),
        ending: fc.constantFrom<Ending>(killed, killed, { code: exit.crashed }, { code: exit.tryAgain }, { code: 1 }),
      }),
    },
    { weight: 6, arbitrary: fc.constant({ kind: 'rested' as const }) },
    fc.record({ kind: fc.constant('stop' as const), signal: fc.constantFrom('SIGINT' as const, 'SIGTERM' as const) }),
  );
  let restarted = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(happening, fc.nat({ max: 2 * STEADY_MS })), { maxLength: 30 }), (sequence) => {
      let now = 0;
      let state = begin(0);
      let [running, resting, stopped] = [true, false, false];
      let crashes = 0;
      const ends: Ending[] = [];
      for (const [what, later] of sequence) {
        now += later;
        // Skip impossible events: only a running process can end, and a pause can be over only if one has begun.
        if ((what.kind === 'ended' && !running) || (what.kind === 'rested' && !resting)) continue;
        if (what.kind === 'ended') running = false;
        if (what.kind === 'rested') resting = false;
        if (what.kind === 'stop') stopped = true;
        const result = supervision(state, { ...what, at: now } as Happening);
        state = result.state;
        for (const order of result.orders) {
          expect(ends).toEqual([]);
          if (order.kind === 'start') {
            expect([running, resting, stopped]).toEqual([false, false, false]);
            expect(order.restarts).toBe(crashes);
            running = true;
            restarted++;
          } else if (order.kind === 'rest') {
            expect([running, stopped]).toEqual([false, false]);
            resting = true;
            crashes++;
          } else if (order.kind === 'pass-on') expect(running).toBe(true);
          else {
            expect(running).toBe(false);
            resting = false;
            ends.push(order.ending);
          }
        }
        // Until supervision ends, a process is running or about to start.
        expect(ends.length === 1 || running || resting).toBe(true);
      }
      if (stopped && !running) expect(ends).toHaveLength(1);
    }),
    { numRuns: 500 },
  );
  expect(restarted).toBeGreaterThan(100);
});
