import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AcceptedEvents, planReading, shownAfter, type WindowRange } from './reading-plan.ts';

const log = { begin: 0, end: 1000 };

describe('planReading', () => {
  test('without a checkpoint, reading starts at the group’s first sequence number, and no window is reread', () => {
    expect(planReading({ checkpoint: undefined, first: 0, log, window: 100, shown: undefined })).toEqual({
      kind: 'read',
      from: 0,
      position: 0,
      expired: 0,
      blind: 0,
    });
    expect(planReading({ checkpoint: undefined, first: 700, log, window: 100, shown: undefined })).toMatchObject({
      from: 700,
      position: 700,
    });
  });

  test('reading resumes after the checkpoint and rereads the window, but nothing before the group’s first sequence number', () => {
    expect(planReading({ checkpoint: 499, first: 0, log, window: 100, shown: undefined })).toMatchObject({
      from: 400,
      position: 500,
    });
    expect(planReading({ checkpoint: 499, first: 450, log, window: 100, shown: undefined })).toMatchObject({
      from: 450,
      position: 500,
    });
    expect(planReading({ checkpoint: 499, first: 0, log, window: 0, shown: undefined })).toMatchObject({
      from: 500,
      position: 500,
    });
  });

  test('sequence numbers that this process has already passed to its window are not reread', () => {
    const plan = (shown: WindowRange) => planReading({ checkpoint: 499, first: 0, log, window: 100, shown });
    expect(plan({ from: 0, to: 800 })).toMatchObject({ from: 500 });
    expect(plan({ from: 0, to: 450 })).toMatchObject({ from: 450 });
    // The whole window is reread if the remembered range ends before the window or starts inside the window.
    expect(plan({ from: 0, to: 399 })).toMatchObject({ from: 400 });
    expect(plan({ from: 401, to: 800 })).toMatchObject({ from: 400 });
  });

  test('events that the hub dropped are counted: as `expired` if unread, as `blind` if missing from the window', () => {
    const short = { begin: 600, end: 1000 };
    expect(planReading({ checkpoint: 499, first: 0, log: short, window: 100, shown: undefined })).toEqual({
      kind: 'read',
      from: 600,
      position: 600,
      expired: 100,
      blind: 0,
    });
    expect(planReading({ checkpoint: 649, first: 0, log: short, window: 100, shown: undefined })).toEqual({
      kind: 'read',
      from: 600,
      position: 650,
      expired: 0,
      blind: 50,
    });
  });

  test('a checkpoint at the last event is valid; a checkpoint beyond the end belongs to a different log', () => {
    expect(planReading({ checkpoint: 1000, first: 0, log, window: 0, shown: undefined })).toEqual({ kind: 'beyond' });
    expect(planReading({ checkpoint: 999, first: 0, log, window: 0, shown: undefined })).toMatchObject({ position: 1000 });
    expect(planReading({ checkpoint: 0, first: 0, log: { begin: 0, end: 0 }, window: 0, shown: undefined })).toEqual({
      kind: 'beyond',
    });
  });

  test('in any situation, the sequence numbers missing from the window are counted', () => {
    const situation = fc
      .record({ begin: fc.nat(60), length: fc.nat(60), window: fc.nat(40), from: fc.nat(100), shownLength: fc.nat(60) })
      .chain(({ begin, length, window, from, shownLength }) =>
        fc.record({
          checkpoint: fc.option(fc.nat(Math.max(0, begin + length - 1)), { nil: undefined }),
          first: fc.nat(begin + length),
          log: fc.constant({ begin, end: begin + length }),
          window: fc.constant(window),
          shown: fc.option(fc.constant({ from, to: from + shownLength }), { nil: undefined }),
        }),
      )
      .filter(({ checkpoint, first, log: { end } }) => checkpoint === undefined || (checkpoint < end && first <= checkpoint + 1));
    fc.assert(
      fc.property(situation, (given) => {
        const plan = planReading(given);
        if (plan.kind === 'beyond') throw new Error('the checkpoint is in the log');
        const asked = given.checkpoint === undefined ? given.first : given.checkpoint + 1;
        expect(plan.position).toBe(Math.max(asked, given.log.begin));
        expect(plan.from).toBeLessThanOrEqual(plan.position);
        expect(plan.from).toBeGreaterThanOrEqual(Math.min(given.log.begin, plan.position));
        const known = (number: number): boolean =>
          number >= plan.from || (given.shown !== undefined && number >= given.shown.from && number < given.shown.to);
        let unknown = 0;
        for (
          let number = Math.max(plan.position - given.window, given.first);
          number < Math.min(asked, plan.position);
          number += 1
        )
          if (!known(number)) unknown += 1;
        expect(plan.blind).toBe(unknown);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('Reading', () => {
  test('sequence numbers before the position only fill the window, and each is taken once', () => {
    const reading = new AcceptedEvents({ from: 3, position: 5 });
    expect(reading.rereading).toBe(true);
    expect(reading.arrive([2, 3, 4, 4, 5, 6])).toEqual({ kind: 'taken', repeated: 2, before: [1, 2], after: [4, 5], missing: 0 });
    expect([reading.next, reading.rereading]).toEqual([7, false]);
    expect(reading.arrive([5, 6])).toEqual({ kind: 'taken', repeated: 2, before: [], after: [], missing: 0 });
    expect(reading.arrive([6, 7])).toEqual({ kind: 'taken', repeated: 1, before: [], after: [1], missing: 0 });
  });

  test('a gap is accepted only after it repeats, and then all later gaps are accepted at once', () => {
    const reading = new AcceptedEvents({ from: 0, position: 0 });
    expect(reading.arrive([0, 2])).toEqual({ kind: 'doubt' });
    expect(reading.next).toBe(0);
    expect(reading.arrive([0, 2])).toEqual({ kind: 'taken', repeated: 0, before: [], after: [0, 1], missing: 1 });
    expect(reading.arrive([5])).toEqual({ kind: 'taken', repeated: 0, before: [], after: [0], missing: 2 });
  });

  test('each sequence number is taken once and in order, even if links start early or repeat numbers', () => {
    // Each link starts `back` numbers before the expected number, and delivers its batches until the link ends.
    const batch = fc.array(fc.constantFrom(1, 1, 1, 2), { minLength: 1, maxLength: 7 });
    const links = fc.array(fc.record({ back: fc.nat(5), batches: fc.array(batch, { maxLength: 5 }) }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.nat(10), fc.nat(10), links, (from, window, all) => {
        const position = from + window;
        const reading = new AcceptedEvents({ from, position });
        const before: number[] = [];
        const after: number[] = [];
        for (const { back, batches } of all) {
          let at = Math.max(0, reading.next - back);
          for (const times of batches) {
            const numbers = times.flatMap((count) => Array<number>(count).fill(at++));
            const arrival = reading.arrive(numbers);
            if (arrival.kind === 'doubt') throw new Error('nothing is missing');
            expect(arrival.repeated + arrival.before.length + arrival.after.length).toBe(numbers.length);
            before.push(...arrival.before.map((index) => numbers[index]!));
            after.push(...arrival.after.map((index) => numbers[index]!));
          }
        }
        const taken = [...before, ...after];
        expect(taken).toEqual(Array.from({ length: taken.length }, (_, index) => from + index));
        expect(before.every((number) => number < position)).toBe(true);
        expect(after.every((number) => number >= position)).toBe(true);
      }),
    );
  });
});

test('adjacent ranges of sequence numbers passed to the window are joined; after a gap only the new range is kept', () => {
  expect(shownAfter(undefined, 5, 8)).toEqual({ from: 5, to: 8 });
  expect(shownAfter({ from: 0, to: 5 }, 5, 8)).toEqual({ from: 0, to: 8 });
  expect(shownAfter({ from: 0, to: 9 }, 5, 8)).toEqual({ from: 0, to: 9 });
  expect(shownAfter({ from: 0, to: 4 }, 5, 8)).toEqual({ from: 5, to: 8 });
  expect(shownAfter({ from: 6, to: 9 }, 5, 8)).toEqual({ from: 5, to: 8 });
});
