import type { LogBounds } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { pause, SETTLE_MS } from './deadline.ts';
import { isSettling } from './errors.ts';
import type { Cluster, ConsumerGroup } from './internals.ts';
import { Final } from './member-end.ts';
import { Partition, type PartitionOwner } from './partition.ts';
import { askBounds, askCommitted, nameOf } from './positions.ts';

const SETTLING_TRIES = 10;

/** The start offset of each partition. */
export type Starts = readonly (readonly [Partition, number])[];

export interface AssigningOptions {
  readonly cluster: Cluster;
  readonly group: ConsumerGroup;
  readonly owner: PartitionOwner;
  /** Throws if the member has stopped. */
  readonly mustGoOn: () => void;
}

/** Performs the steps between a join and the first fetch of a generation: finds the assigned partitions and seeks to their start offsets. */
export class Assigning {
  readonly #options: AssigningOptions;

  constructor(options: AssigningOptions) {
    this.#options = options;
  }

  /** Returns the assigned partitions with their bounds and committed offsets. Rejects if a partition does not exist. */
  async partitions(): Promise<readonly Partition[]> {
    const { cluster, group, owner } = this.#options;
    const taken = group.assigned().flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })));
    // If an earlier generation paused a partition, the library keeps it paused, so resume all partitions.
    group.resume(group.assigned().map(({ topic, partitions }) => ({ topic, partitions })));
    const [committed, bounds] = await Promise.all([
      this.#patiently(async () => askCommitted(await group.offsetManager.getCoordinator(), group.groupId, taken)),
      this.#patiently(() => askBounds(cluster, taken)),
    ]);
    return taken.map((one) => {
      const found = bounds.get(nameOf(one));
      if (found === undefined) throw new KafkaError('AORTA-KAFKA-PARTITION-MISSING', { ...one });
      return new Partition(one, committed.get(nameOf(one)), found, owner);
    });
  }

  /** Seeks each partition to its start offset. Rejects with {@link Final} if a start offset is out of range. */
  async seek(starts: Starts): Promise<void> {
    if (starts.length === 0) return;
    const { cluster } = this.#options;
    const partitions = starts.map(([partition]) => partition);
    // Ask for the bounds again, because retention may have deleted records while the start offsets were determined.
    const now = await this.#patiently(() => askBounds(cluster, partitions));
    for (const [partition, next] of starts) await this.#seekOne(partition, next, now.get(nameOf(partition)) ?? partition);
  }

  async #seekOne({ topic, partition }: Partition, next: number, { low, end }: LogBounds): Promise<void> {
    if (!Number.isSafeInteger(next) || next < low || next > end) {
      throw new Final(new KafkaError('AORTA-KAFKA-OUT-OF-RANGE', { topic, partition, next, low, end }));
    }
    const { cluster, group } = this.#options;
    const at = { topic, partition, offset: String(next) };
    // Otherwise the library fetches the committed offset again and starts there.
    cluster.markOffsetAsCommitted({ groupId: group.groupId, ...at });
    await group.offsetManager.seek(at);
  }

  #patiently<T>(work: () => Promise<T>): Promise<T> {
    return patiently(work, this.#options.mustGoOn);
  }
}

/** Asks `onAssigned` for the start offset of a partition. Errors of `onAssigned` are final. */
export async function startOf(
  partition: Partition,
  onAssigned: (partition: Partition) => Promise<number> | number,
): Promise<readonly [Partition, number]> {
  try {
    return [partition, await onAssigned(partition)];
  } catch (error) {
    throw new Final(error);
  }
}

/** Retries `work` for a while, because a broker that has just started may refuse requests at first. `mustGoOn` throws if retrying is pointless. */
export async function patiently<T>(work: () => Promise<T>, mustGoOn: () => void): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isSettling(error) || tries === SETTLING_TRIES) throw error;
      mustGoOn();
      await pause(SETTLE_MS);
    }
  }
}
