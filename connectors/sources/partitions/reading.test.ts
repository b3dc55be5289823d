import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planReading, Reading, type Shown, shownAfter } from './reading.ts';

const log = { begin: 0, end: 1000 };

describe('where a partition is begun', () => {
  test('without a checkpoint: where the group begins, with no window before it', () => {
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

  test('after a checkpoint: behind it, the window first, but nothing from before the group began', () => {
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

  test('what this process has shown to its window is not read again', () => {
    const plan = (shown: Shown) => planReading({ checkpoint: 499, first: 0, log, window: 100, shown });
    expect(plan({ from: 0, to: 800 })).toMatchObject({ from: 500 });
    expect(plan({ from: 0, to: 450 })).toMatchObject({ from: 450 });
    // A hole before the window's edge, or in it, and all is read again.
    expect(plan({ from: 0, to: 399 })).toMatchObject({ from: 400 });
    expect(plan({ from: 401, to: 800 })).toMatchObject({ from: 400 });
  });

  test('what the hub has dropped is counted: unread events, and what is missing of the window', () => {
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

  test('a checkpoint behind the end of the log is of another log; one at its end is not', () => {
    expect(planReading({ checkpoint: 1000, first: 0, log, window: 0, shown: undefined })).toEqual({ kind: 'beyond' });
    expect(planReading({ checkpoint: 999, first: 0, log, window: 0, shown: undefined })).toMatchObject({ position: 1000 });
    expect(planReading({ checkpoint: 0, first: 0, log: { begin: 0, end: 0 }, window: 0, shown: undefined })).toEqual({
      kind: 'beyond',
    });
  });

  test('whatever the situation, the window is whole or what is missing of it is counted', () => {
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

describe('reading', () => {
  test('what stands before the position is for the window only, and each number is taken once', () => {
    const reading = new Reading({ from: 3, position: 5 });
    expect(reading.rereading).toBe(true);
    expect(reading.arrive([2, 3, 4, 4, 5, 6])).toEqual({ kind: 'taken', repeated: 2, before: [1, 2], after: [4, 5], missing: 0 });
    expect([reading.next, reading.rereading]).toEqual([7, false]);
    expect(reading.arrive([5, 6])).toEqual({ kind: 'taken', repeated: 2, before: [], after: [], missing: 0 });
    expect(reading.arrive([6, 7])).toEqual({ kind: 'taken', repeated: 1, before: [], after: [1], missing: 0 });
  });

  test('a gap is doubted once, believed when it comes again, and from then on always', () => {
    const reading = new Reading({ from: 0, position: 0 });
    expect(reading.arrive([0, 2])).toEqual({ kind: 'doubt' });
    expect(reading.next).toBe(0);
    expect(reading.arrive([0, 2])).toEqual({ kind: 'taken', repeated: 0, before: [], after: [0, 1], missing: 1 });
    expect(reading.arrive([5])).toEqual({ kind: 'taken', repeated: 0, before: [], after: [0], missing: 2 });
  });

  test('over any links, which begin where they should or before and may repeat, every number is taken once and in order', () => {
    // A link: where it begins, relative to what is expected, and the batches that it brings until it ends.
    const batch = fc.array(fc.constantFrom(1, 1, 1, 2), { minLength: 1, maxLength: 7 });
    const links = fc.array(fc.record({ back: fc.nat(5), batches: fc.array(batch, { maxLength: 5 }) }), { maxLength: 12 });
    fc.assert(
      fc.property(fc.nat(10), fc.nat(10), links, (from, window, all) => {
        const position = from + window;
        const reading = new Reading({ from, position });
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

test('what was shown is joined where it meets, and forgotten where it leaves a hole', () => {
  expect(shownAfter(undefined, 5, 8)).toEqual({ from: 5, to: 8 });
  expect(shownAfter({ from: 0, to: 5 }, 5, 8)).toEqual({ from: 0, to: 8 });
  expect(shownAfter({ from: 0, to: 9 }, 5, 8)).toEqual({ from: 0, to: 9 });
  expect(shownAfter({ from: 0, to: 4 }, 5, 8)).toEqual({ from: 5, to: 8 });
  expect(shownAfter({ from: 6, to: 9 }, 5, 8)).toEqual({ from: 5, to: 8 });
});
