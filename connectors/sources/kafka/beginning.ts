import type { AssignedPartition } from '../../kafka-client/index.ts';
import { planReading, type ReadingPlan, type Shown } from '../partitions/reading.ts';
import type { StartPosition } from '../partitions/start-position.ts';
import { partitionName } from './delivery-of-record.ts';
import { KafkaSourceError } from './errors.ts';

/** Where the reading of an assigned partition begins. */
export interface Beginning extends Omit<ReadingPlan, 'kind'> {
  /** The offset with which the group began: nothing before it was ever emitted. */
  readonly first: number;
}

export interface BeginningSituation {
  readonly assigned: Pick<AssignedPartition, 'topic' | 'partition' | 'committed' | 'low' | 'end'>;
  readonly group: string;
  /** The offset with which the group begins, or began. */
  readonly first: number;
  /** Offsets that the redelivery window reaches back. */
  readonly window: number;
  readonly shown: Shown | undefined;
  readonly whenExpired: 'stop' | 'continue';
}

/**
 * Where an assigned partition is begun: at what the group committed, or where it begins; before that the redelivery window,
 * read again. Throws AORTA-KAFKA-OFFSET-BEYOND where the commit is not one of this log, AORTA-KAFKA-OFFSET-EXPIRED where the
 * log has lost what was not read, and that is not to be gone over. Pure.
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

/** What is written beside a commit: who takes the partition over has to know where the group began. */
export function noteOf(first: number): string {
  return `aorta first=${first}`;
}

/** Where the group began, by the note; undefined where the cluster has lost it, or somebody else has set the offset. */
export function notedBeginning(note: string | undefined): number | undefined {
  const digits = /^aorta first=([0-9]{1,15})$/.exec(note ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Where a group began that has committed, if nobody has noted it. Too early a beginning loses data: a delivery that the
 * group never emitted would recognise, and so drop, the next one of its kind. Too late a one only recognises fewer
 * redeliveries. So a group that began with what came next is taken to have begun where it is.
 */
export async function presumedBeginning(
  start: StartPosition,
  committed: number,
  since: (time: number) => Promise<number | undefined>,
): Promise<number> {
  if (start === 'earliest') return 0;
  return start === 'latest' ? committed : Math.min((await since(start)) ?? committed, committed);
}
