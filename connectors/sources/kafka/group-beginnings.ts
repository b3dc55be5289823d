import type { Logger } from '@aorta/runtime';
import type { AssignedPartition, KafkaAdmin } from '../../kafka-client/index.ts';
import type { StartPosition } from '../partitions/start-position.ts';
import { notedBeginning, presumedBeginning } from './beginning.ts';
import { partitionName } from './delivery-of-record.ts';
import type { TopicContent } from './topics.ts';

export interface GroupBeginningsOptions {
  readonly source: string;
  readonly admin: KafkaAdmin;
  readonly start: StartPosition;
  /** What the topics held when the process began: where `latest` is. */
  readonly atStart: readonly TopicContent[];
  /** Offsets that the redelivery window reaches back. */
  readonly window: number;
  readonly logger: Logger;
  /** Nobody has noted where the group began in a partition. */
  readonly onLost: () => void;
}

/** With which offset the group begins, or began, in each partition. */
export class GroupBeginnings {
  readonly #options: GroupBeginningsOptions;
  /** By partition, as far as this process has seen it: what stands beside commits may be lost. */
  readonly #known = new Map<string, number>();

  constructor(options: GroupBeginningsOptions) {
    this.#options = options;
  }

  /** As it is noted beside the group's commit, or as this process remembers, else as it is presumed. */
  async of(assigned: AssignedPartition): Promise<number> {
    const { topic, partition, committed, note, low } = assigned;
    if (committed === undefined) return this.#firstOf(assigned);
    const name = partitionName(assigned);
    const known = notedBeginning(note) ?? this.#known.get(name);
    if (known !== undefined) return known;
    const { start, admin, source, window, logger, onLost } = this.#options;
    const from = await presumedBeginning(start, committed, async (time) => (await admin.since(topic, time))[partition]);
    onLost();
    logger.warn('where the group began is not known any more', {
      source,
      partition: name,
      from,
      // Of the redelivery window, as far as it may have been read: redeliveries of these are not recognised.
      unread: start === 'latest' ? Math.min(committed - low, window) : 0,
    });
    return from;
  }

  remember(partition: string, first: number): void {
    this.#known.set(partition, first);
  }

  /** The offset with which the group begins in a partition where it has never been. */
  async #firstOf({ topic, partition, low, end }: AssignedPartition): Promise<number> {
    const { start, atStart, admin } = this.#options;
    if (start === 'earliest') return low;
    if (start === 'latest') {
      // What was not there when this process began is new from its first record on.
      return atStart.find((one) => one.topic === topic)?.partitions[partition]?.end ?? low;
    }
    return (await admin.since(topic, start))[partition] ?? end;
  }
}
