import type { Logger } from '@aorta/runtime';
import type { AssignedPartition, KafkaAdmin } from '../../kafka-client/client.ts';
import type { StartPosition } from '../partitions/start-position.ts';
import { notedBeginning, presumedBeginning } from './beginning.ts';
import { partitionName } from './delivery-of-record.ts';
import type { TopicContent } from './topics.ts';

export interface GroupBeginningsOptions {
  readonly source: string;
  readonly admin: KafkaAdmin;
  readonly start: StartPosition;
  /**
   * Topics and partition bounds when the process started. If the start position is `latest`, reading starts where the
   * partitions ended at that time.
   */
  readonly atStart: readonly TopicContent[];
  /** Size of the redelivery window in offsets. */
  readonly window: number;
  readonly logger: Logger;
  /** Called when the group's first offset in a partition is unknown. */
  readonly onLost: () => void;
}

/** Determines the group's first offset in each partition. */
export class GroupBeginnings {
  readonly #options: GroupBeginningsOptions;
  /** First offsets that this process has seen, by partition. They are kept because commit metadata may get lost. */
  readonly #known = new Map<string, number>();

  constructor(options: GroupBeginningsOptions) {
    this.#options = options;
  }

  /** Returns the first offset from the commit's metadata. If the metadata is lost, returns the offset that this process remembers, or an estimate. */
  async of(assigned: AssignedPartition): Promise<number> {
    const { topic, partition, committed, note, low } = assigned;
    if (committed === undefined) return this.#firstOf(assigned);
    const name = partitionName(assigned);
    const known = notedBeginning(note) ?? this.#known.get(name);
    if (known !== undefined) return known;
    const { start, admin, source, window, logger, onLost } = this.#options;
    const from = await presumedBeginning(start, committed, async (time) => (await admin.since(topic, time))[partition]);
    onLost();
    logger.warn('the first offset of the group is unknown', {
      source,
      partition: name,
      from,
      // Number of offsets in the redelivery window that are not reread. Redeliveries of their records go undetected.
      unread: start === 'latest' ? Math.min(committed - low, window) : 0,
    });
    return from;
  }

  remember(partition: string, first: number): void {
    this.#known.set(partition, first);
  }

  /** Returns the first offset for a partition in which the group never committed. */
  async #firstOf({ topic, partition, low, end }: AssignedPartition): Promise<number> {
    const { start, atStart, admin } = this.#options;
    if (start === 'earliest') return low;
    if (start === 'latest') {
      // A partition that was created after this process started is read from its first record.
      return atStart.find((one) => one.topic === topic)?.partitions[partition]?.end ?? low;
    }
    return (await admin.since(topic, start))[partition] ?? end;
  }
}
