import type { Logger } from '@aorta/runtime';
import type { StartPosition } from '../../sources/partition.ts';
import { planReading, type ReadingPlan, type WindowRange } from '../../sources/reading-plan.ts';
import type { AssignedPartition, KafkaAdmin } from '../client/client.ts';
import type { TopicContent } from './cluster.ts';
import { readNote } from './commit-note.ts';
import { partitionName } from './delivery-of-record.ts';
import { KafkaSourceError } from './errors.ts';

/** The start of reading in an assigned partition. */
export interface ReadingStart extends Omit<ReadingPlan, 'kind'> {
  /** The group's first offset: nothing before it was ever emitted. */
  readonly first: number;
}

interface ReadingSituation {
  readonly assigned: Pick<AssignedPartition, 'topic' | 'partition' | 'committed' | 'low' | 'end'>;
  readonly group: string;
  /** The group's first offset in the partition. */
  readonly first: number;
  /** Size of the redelivery window in offsets. */
  readonly window: number;
  readonly shown: WindowRange | undefined;
  readonly whenExpired: 'stop' | 'continue';
}

/**
 * Decides where reading of an assigned partition starts: at the committed offset or, without one, at the group's first
 * offset. The redelivery window before that position is reread. Throws AORTA-KAFKA-OFFSET-BEYOND if the committed
 * offset is beyond the end of the log. Throws AORTA-KAFKA-OFFSET-EXPIRED if retention removed unread records and
 * `whenExpired` is `stop`. Pure.
 */
export function readingStartOf({ assigned, group, first, window, shown, whenExpired }: ReadingSituation): ReadingStart {
  const { committed, low, end } = assigned;
  const place = { group, partition: partitionName(assigned) };
  const began = committed === undefined ? Math.min(Math.max(first, low), end) : Math.min(first, committed);
  const checkpoint = committed === undefined ? undefined : committed - 1;
  const plan = planReading({ checkpoint, first: began, log: { begin: low, end }, window, shown });
  if (plan.kind === 'beyond')
    throw new KafkaSourceError('AORTA-KAFKA-OFFSET-BEYOND', { ...place, committed: committed ?? began, end });
  if (plan.expired > 0 && whenExpired === 'stop')
    throw new KafkaSourceError('AORTA-KAFKA-OFFSET-EXPIRED', {
      ...place,
      committed: committed ?? began,
      low,
      records: plan.expired,
    });
  const { from, position, expired, blind } = plan;
  return { from, position, expired, blind, first: began };
}

export interface FirstOffsetsOptions {
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
export class FirstOffsets {
  readonly #options: FirstOffsetsOptions;
  /** First offsets that this process has seen, by partition. They are kept because commit metadata may get lost. */
  readonly #known = new Map<string, number>();

  constructor(options: FirstOffsetsOptions) {
    this.#options = options;
  }

  /** Returns the first offset from the commit's metadata. If the metadata is lost, returns the offset that this process remembers, or an estimate. */
  async of(assigned: AssignedPartition): Promise<number> {
    const { topic, partition, committed, note, low } = assigned;
    if (committed === undefined) return this.#firstOf(assigned);
    const name = partitionName(assigned);
    const known = readNote(note)?.first ?? this.#known.get(name);
    if (known !== undefined) return known;
    const { start, admin, source, window, logger, onLost } = this.#options;
    const from = await estimatedFirstOffset(start, committed, async (time) => (await admin.since(topic, time))[partition]);
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
      return atStart.find((one) => one.topic === topic)?.partitions[partition]?.stable ?? low;
    }
    return (await admin.since(topic, start))[partition] ?? end;
  }
}

/**
 * Estimates the first offset of a group that has committed but whose metadata is lost. An estimate that is too early
 * loses data: the window would hold deliveries that the group never emitted, and later deliveries would be dropped as
 * their duplicates. An estimate that is too late only means that fewer redeliveries are detected. For `latest`, the
 * estimate is therefore the committed offset.
 */
async function estimatedFirstOffset(
  start: StartPosition,
  committed: number,
  since: (time: number) => Promise<number | undefined>,
): Promise<number> {
  if (start === 'earliest') return 0;
  return start === 'latest' ? committed : Math.min((await since(start)) ?? committed, committed);
}
