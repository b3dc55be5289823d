import { type Figure, figure, type Spent } from '../measure.ts';
import type { MeasuredBroker } from './broker.ts';

/** What was measured in turns: by name, a figure a round. */
export class Turns {
  readonly #spent = new Map<string, Spent[]>();
  readonly #brokers = new Map<string, number[]>();
  readonly #broker: MeasuredBroker;

  constructor(broker: MeasuredBroker) {
    this.#broker = broker;
  }

  /** Of a negative round, which warms up, nothing is kept. */
  async take(round: number, name: string, work: () => Promise<Spent>): Promise<void> {
    const before = this.#broker.cpu();
    const took = await work();
    const after = this.#broker.cpu();
    if (round < 0) return;
    put(this.#spent, name, took);
    if (before !== undefined && after !== undefined) put(this.#brokers, name, after - before);
  }

  rates(name: string, events: number, label: string): Figure {
    const rates = this.list(name).map(({ wall }) => (events * 1000) / wall);
    return figure(label, 'events/s', rates);
  }

  /** Microseconds of a core that the process took for an event. */
  cores(name: string, events: number, label: string): Figure {
    const list = this.list(name).map(({ cpu }) => (cpu * 1000) / events);
    return figure(`${label}: a core for an event`, 'µs', list);
  }

  /** The same of the broker; joining and leaving the group is part of it. */
  broker(name: string, events: number, label: string): Figure[] {
    const list = this.#brokers.get(name)?.map((cpu) => (cpu * 1000) / events);
    return list === undefined ? [] : [figure(`${label}: the broker's core for an event`, 'µs', list)];
  }

  /** How many times as quick as the other one, in the same round. */
  ratio(name: string, against: string, label: string, least?: number): Figure {
    const others = this.list(against);
    const list = this.list(name).map(({ wall }, round) => others[round]!.wall / wall);
    return figure(label, '×', list, least === undefined ? undefined : { target: `≥ ${least}`, met: (ratio) => ratio >= least });
  }

  /** The same by how long cores are busy in the process. */
  ratioOfCores(name: string, against: string, label: string): Figure {
    const others = this.list(against);
    return figure(
      label,
      '×',
      this.list(name).map(({ cpu }, round) => others[round]!.cpu / cpu),
    );
  }

  list(name: string): readonly Spent[] {
    return this.#spent.get(name)!;
  }
}

export function put<K, T>(lists: Map<K, T[]>, name: K, value: T): void {
  lists.set(name, [...(lists.get(name) ?? []), value]);
}
