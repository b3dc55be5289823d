import type { AssignedPartition } from '../../kafka-client/client.ts';
import { planReading, type ReadingPlan, type WindowRange } from '../partitions/reading.ts';
import type { StartPosition } from '../partitions/start-position.ts';
import { partitionName } from './delivery-of-record.ts';
import { KafkaSourceError } from './errors.ts';

/** Where reading of an assigned partition starts. */
export interface Beginning extends Omit<ReadingPlan, 'kind'> {
  /** The group's first offset: nothing before it was ever emitted. */
  readonly first: number;
}

export interface BeginningSituation {
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
export function beginningOf({ assigned, group, first, window, shown, whenExpired }: BeginningSituation): Beginning {
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

/** Returns the metadata stored with a commit. The next owner of the partition needs the group's first offset. */
export function noteOf(first: number): string {
  return `aorta first=${first}`;
}

/**
 * Parses the group's first offset from a commit's metadata. Returns undefined if the cluster lost the metadata, or if
 * another tool set the offset.
 */
export function notedBeginning(note: string | undefined): number | undefined {
  const digits = /^aorta first=([0-9]{1,15})$/.exec(note ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Estimates the first offset of a group that has committed but whose metadata is lost. An estimate that is too early
 * loses data: the window would hold deliveries that the group never emitted, and later deliveries would be dropped as
 * their duplicates. An estimate that is too late only means that fewer redeliveries are detected. For `latest`, the
 * estimate is therefore the committed offset.
 */
export async function presumedBeginning(
  start: StartPosition,
  committed: number,
  since: (time: number) => Promise<number | undefined>,
): Promise<number> {
  if (start === 'earliest') return 0;
  return start === 'latest' ? committed : Math.min((await since(start)) ?? committed, committed);
}
