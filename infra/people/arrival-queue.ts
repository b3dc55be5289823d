import type { PlannedEvent } from './ingestion.ts';

interface Waiting {
  event: PlannedEvent;
  /** position in the planning order, which breaks ties between events with the same time */
  turn: number;
}

function sooner(a: Waiting, b: Waiting): boolean {
  return a.event.at < b.event.at || (a.event.at === b.event.at && a.turn < b.turn);
}

/** A binary heap of planned events, ordered by time of arrival. */
export class ArrivalQueue {
  readonly #heap: Waiting[] = [];
  #turns = 0;

  get size(): number {
    return this.#heap.length;
  }

  push(event: PlannedEvent): void {
    const heap = this.#heap;
    const waiting = { event, turn: this.#turns++ };
    let at = heap.length;
    heap.push(waiting);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!sooner(waiting, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = waiting;
  }

  /** Removes and returns the next event if it arrives before the given time (microseconds). */
  shiftBefore(micros: number): PlannedEvent | undefined {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first.event.at >= micros) return undefined;
    const last = heap.pop()!;
    if (heap.length > 0) this.#sink(last);
    return first.event;
  }

  #sink(waiting: Waiting): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && sooner(heap[child + 1]!, heap[child]!)) child++;
      if (!sooner(heap[child]!, waiting)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = waiting;
  }
}
