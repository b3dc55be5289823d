import { expect, test } from 'vitest';
import { ArrivalQueue } from './delivery-schedule.ts';
import type { PlannedEvent } from './ingestion.ts';
import { randomOf } from './random.ts';

const event = (at: number, deliveryId: string) => ({ at, deliveryId }) as PlannedEvent;

test('the queue returns the events before the given time, ordered by time and then by insertion', () => {
  const random = randomOf(3);
  const queue = new ArrivalQueue();
  const all = Array.from({ length: 2000 }, (_, i) => event(random.whole(0, 500), String(i)));
  for (const one of all) queue.push(one);
  const expected = all.toSorted((a, b) => a.at - b.at || Number(a.deliveryId) - Number(b.deliveryId));
  const taken: PlannedEvent[] = [];
  for (const bound of [100, 100, 250, 501]) {
    for (let one = queue.shiftBefore(bound); one !== undefined; one = queue.shiftBefore(bound)) taken.push(one);
    expect(taken.length).toBe(expected.filter(({ at }) => at < bound).length);
    expect(queue.size).toBe(all.length - taken.length);
  }
  expect(taken).toEqual(expected);
});
