import { type Figure, figure, type Spent } from '../measure.ts';
import type { MeasuredBroker } from './broker.ts';

/** Collects alternating measurements, with one value per name and round. */
export class Turns {
  readonly #spent = new Map<string, Spent[]>();
  readonly #brokers = new Map<string, number[]>();
  readonly #broker: MeasuredBroker;

  constructor(broker: MeasuredBroker) {
    this.#broker = broker;
  }

  /** Measures the work. A negative round is a warm-up, and is not recorded. */
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

  /** Returns the core time per event of measurement `name`, in microseconds. */
  cores(name: string, events: number, label: string): Figure {
    const list = this.list(name).map(({ cpu }) => (cpu * 1000) / events);
    return figure(`${label}: a core for an event`, 'µs', list);
  }

  /** Returns the broker's core time per event, including joining and leaving the group. */
  broker(name: string, events: number, label: string): Figure[] {
    const list = this.#brokers.get(name)?.map((cpu) => (cpu * 1000) / events);
    return list === undefined ? [] : [figure(`${label}: the broker's core for an event`, 'µs', list)];
  }

  /** Returns the speed of measurement `name` relative to measurement `against` in the same round. */
  ratio(name: string, against: string, label: string, least?: number): Figure {
    const others = this.list(against);
    const list = this.list(name).map(({ wall }, round) => others[round]!.wall / wall);
    return figure(label, '×', list, least === undefined ? undefined : { target: `≥ ${least}`, met: (ratio) => ratio >= least });
  }

  /** Like {@link ratio}, but for core time. */
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
