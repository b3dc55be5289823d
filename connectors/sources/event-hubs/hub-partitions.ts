import type { LogBounds } from '../partitions/reading.ts';
import type { PartitionOfHub } from './claims.ts';
import { partitionName } from './delivery-of-event.ts';

/** The partitions of all hubs of a source, by name, and what each held at the start. */
export class HubPartitions {
  readonly #partitions = new Map<string, PartitionOfHub & { readonly atStart: LogBounds }>();

  get size(): number {
    return this.#partitions.size;
  }

  all(): readonly PartitionOfHub[] {
    return [...this.#partitions.values()];
  }

  add(hub: string, partitionId: string, atStart: LogBounds): void {
    this.#partitions.set(partitionName(hub, partitionId), { hub, partitionId, atStart });
  }

  /** Adds those that are not known yet: a new partition was empty when this process began. */
  addNew(hub: string, partitionIds: readonly string[]): void {
    for (const partitionId of partitionIds) {
      if (!this.#partitions.has(partitionName(hub, partitionId))) this.add(hub, partitionId, { begin: 0, end: 0 });
    }
  }

  /** What a partition held at the start. */
  atStart(name: string): LogBounds {
    return this.#partitions.get(name)!.atStart;
  }

  /** Whether every partition's end as of the start was reached, by what `next` says of each partition. */
  isThrough(next: (name: string) => number): boolean {
    for (const [name, { atStart }] of this.#partitions) {
      if (atStart.end > atStart.begin && next(name) < atStart.end) return false;
    }
    return true;
  }
}
