import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exit } from '../exit.ts';
import { begin, type Ending, type Happening, isCrash, type Order, STEADY_MS, supervision } from './restarting.ts';

/** Everything that is ordered, from the start of the first process on. */
function ordered(happenings: readonly Happening[]): Order[] {
  let state = begin(0);
  return happenings.flatMap((happening) => {
    const { state: next, orders } = supervision(state, happening);
    state = next;
    return orders;
  });
}

const killed: Ending = { signal: 'SIGKILL' };

test('what is a crash, and what an end on purpose', () => {
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

describe('rests', () => {
  test('double from a quarter of a second to half a minute while crashes follow each other', () => {
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

  test('begin anew after a steady life', () => {
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

test('who asks to stop gets the end of the working process, or at once where there is none', () => {
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

/** A world of one supervisor and its processes, in which things happen when they may: its laws are the promises. */
test('at any time one process or none, no start after a stop, one end', () => {
  const happening = fc.oneof(
    // Mostly crashes and what follows them: a stop, or an end on purpose, ends the story.
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
        // What cannot happen does not: only a running process ends, only a rest is over.
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
        // Nobody is left alone: without an end there is a process, or one to come.
        expect(ends.length === 1 || running || resting).toBe(true);
      }
      if (stopped && !running) expect(ends).toHaveLength(1);
    }),
    { numRuns: 500 },
  );
  expect(restarted).toBeGreaterThan(100);
});
