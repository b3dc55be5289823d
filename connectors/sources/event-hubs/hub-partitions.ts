import type { LogBounds } from '../reading-plan.ts';
import type { PartitionOfHub } from './claims.ts';
import { partitionName } from './delivery-of-event.ts';

/** The partitions of all hubs of a source, by name, with the bounds of their logs at the time the process started. */
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

  /** Adds the partitions that are not in the list yet. They were created after this process started, so they were empty then. */
  addNew(hub: string, partitionIds: readonly string[]): void {
    for (const partitionId of partitionIds) {
      if (!this.#partitions.has(partitionName(hub, partitionId))) this.add(hub, partitionId, { begin: 0, end: 0 });
    }
  }

  atStart(name: string): LogBounds {
    return this.#partitions.get(name)!.atStart;
  }

  /**
   * Whether all events that were in the partitions when the process started have been read. `next` returns the next
   * sequence number to be read.
   */
  isComplete(next: (name: string) => number): boolean {
    for (const [name, { atStart }] of this.#partitions) {
      if (atStart.end > atStart.begin && next(name) < atStart.end) return false;
    }
    return true;
  }
}
