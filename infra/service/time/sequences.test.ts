import { expect, test } from 'vitest';
import { inTime, until } from '../../machine/waiting.fixture.ts';
import { type Sequence, Sequences } from './sequences.ts';

/** A clock that a test moves, sequences, and what their steps have done. */
function begun() {
  let now = 0;
  const done: [name: string, at: number][] = [];
  const sequences = new Sequences({ commit: (finish) => finish(), now: () => now, rested: () => {} });
  const moveTo = (time: number) => async () => {
    now = Math.max(now, time);
  };
  /** A sequence whose steps are due at the times, and take as long as `work`. */
  const sequence = (name: string, times: number[], work: () => Promise<void> = async () => {}): Sequence => ({
    name,
    due: () => times[0],
    step: async (at) => {
      await work();
      return () => {
        times.shift();
        done.push([name, at]);
      };
    },
  });
  return { sequences, sequence, moveTo, done };
}

test('an advance ends when each sequence has done what is due until then, each step at its own time', async () => {
  const { sequences, sequence, moveTo, done } = begun();
  const all = [sequence('a', [3, 5, 20])];
  sequences.add(() => all);
  await sequences.advance(moveTo(10), 10);
  expect(done).toEqual([
    ['a', 3],
    ['a', 5],
  ]);
});

test('a step that is due before the last one is done at the time of the last one', async () => {
  const { sequences, sequence, moveTo, done } = begun();
  const all = [sequence('a', [8, 2, 9])];
  sequences.add(() => all);
  await sequences.advance(moveTo(10), 10);
  expect(done.map(([, at]) => at)).toEqual([8, 8, 9]);
});

test('a slow sequence delays no other, but the advance waits for it', async () => {
  const { sequences, sequence, moveTo, done } = begun();
  const answer = Promise.withResolvers<void>();
  const all = [sequence('slow', [1, 2], () => answer.promise), sequence('fast', [1, 2, 3])];
  sequences.add(() => all);
  let isOver = false;
  const advance = sequences.advance(moveTo(10), 10).then(() => {
    isOver = true;
  });
  while (done.length < 3) await inTime('a step', sequences.stepped());
  expect([done.map(([name]) => name), isOver]).toEqual([['fast', 'fast', 'fast'], false]);
  answer.resolve();
  await inTime('the end of the advance', advance);
  expect(done.slice(3)).toEqual([
    ['slow', 1],
    ['slow', 2],
  ]);
});

test('while jobs are being done, the steps stay before their time, because more of this time may follow', async () => {
  const { sequences, sequence, moveTo, done } = begun();
  const all = [sequence('a', [3, 5])];
  sequences.add(() => all);
  const jobs = () =>
    sequences.behind(async () => {
      await moveTo(5)();
      sequences.follow();
      await inTime('a step', sequences.stepped());
      for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
      expect(done).toEqual([['a', 3]]);
    });
  await sequences.advance(jobs, 5);
  expect(done).toHaveLength(2);
});

test('an interrupted step changes nothing, and is done again', async () => {
  const { sequences, sequence, moveTo, done } = begun();
  const answers: (() => void)[] = [];
  const all = [sequence('a', [1], () => new Promise((resolve) => answers.push(resolve)))];
  sequences.add(() => all);
  const advance = sequences.advance(moveTo(10), 10);
  await Promise.resolve();
  sequences.stop();
  await until('the second attempt', () => answers.length, 2);
  answers[0]!();
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toEqual([]);
  answers[1]!();
  await inTime('the end of the advance', advance);
  expect(done).toEqual([['a', 1]]);
});

test('the advance fails with the error of a step, and with the end of the service', async () => {
  const { sequences, sequence, moveTo } = begun();
  let fails = true;
  const all = [
    sequence('a', [1], async () => {
      if (fails) throw new Error('broken');
      await new Promise(() => {});
    }),
  ];
  sequences.add(() => all);
  await expect(sequences.advance(moveTo(10), 10)).rejects.toThrow('broken');
  fails = false;
  const second = sequences.advance(moveTo(20), 20);
  const ended = expect(second).rejects.toThrow('closed');
  await Promise.resolve();
  sequences.close();
  await inTime('the end of the advance', ended);
});
