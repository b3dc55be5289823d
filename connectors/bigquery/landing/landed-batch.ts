import { systemTime } from '@aorta/runtime';
import type { StreamName } from '@aorta/schemas';
import * as z from 'zod';
import type { LandedDates } from '../../warehouses/merging/landed-dates.ts';
import type { TableField } from '../tables/fields.ts';

/** A landed batch, as recorded in the description of its landing table. The table has one row per record. */
export interface LandedBatch extends LandedDates {
  readonly name: string;
  readonly partition: number;
  readonly incarnation: string;
  /** Position of the first record, and the position after the last record. */
  readonly from: number;
  readonly to: number;
  /** Whether this is the partition's first batch in this incarnation of the stream. */
  readonly begins: boolean;
  /** Columns of the landing table, which a different version of Aorta may have created. */
  readonly fields: readonly TableField[];
}

/** Label of a landing table from which a user's rows were deleted. The table then has fewer rows than the batch had records. */
export const ERASED = 'erased';

const written = z.object({
  aorta: z.literal('landed'),
  stream: z.string(),
  partition: z.int(),
  incarnation: z.string(),
  from: z.int(),
  to: z.int(),
  records: z.int(),
  landed_at: z.int(),
  begins: z.boolean(),
  received_days: z.string(),
  recent_days: z.string(),
  recent_rows: z.int(),
  old_days: z.string(),
  old_rows: z.int(),
});

/**
 * Encodes days since 1970 as the first day, a dot, and a base64 bit map with one bit per day from the first day on. A
 * backfilled batch may have thousands of days, and BigQuery limits the length of a table description.
 */
export function daysText(days: readonly number[]): string {
  if (days.length === 0) return '';
  const first = Math.min(...days);
  const bits = Buffer.alloc(Math.floor((Math.max(...days) - first) / 8) + 1);
  for (const day of days) bits[(day - first) >> 3]! |= 1 << ((day - first) & 7);
  return `${first}.${bits.toString('base64url')}`;
}

/** Decodes {@link daysText}. The days are in ascending order. */
export function daysOf(text: string): number[] {
  if (text === '') return [];
  const dot = text.indexOf('.');
  const first = Number(text.slice(0, dot));
  const bits = Buffer.from(text.slice(dot + 1), 'base64url');
  const days: number[] = [];
  for (let index = 0; index < bits.length * 8; index++) if ((bits[index >> 3]! >> (index & 7)) & 1) days.push(first + index);
  return days;
}

/** Encodes a batch as the description of its landing table. BigQuery does not charge for reading descriptions. */
export function describeBatch(batch: LandedBatch): string {
  const description: z.input<typeof written> = {
    aorta: 'landed',
    stream: batch.stream,
    partition: batch.partition,
    incarnation: batch.incarnation,
    from: batch.from,
    to: batch.to,
    records: batch.records,
    landed_at: systemTime(batch.landedAt),
    begins: batch.begins,
    received_days: daysText(batch.receivedDays),
    recent_days: daysText(batch.recentDays),
    recent_rows: batch.recentRows,
    old_days: daysText(batch.oldDays),
    old_rows: batch.oldRows,
  };
  return JSON.stringify(description);
}

/** Decodes the description of a landing table. Returns undefined if {@link describeBatch} did not write it. */
export function describedBatch(
  name: string,
  description: string | undefined,
  fields: readonly TableField[],
): LandedBatch | undefined {
  let value: unknown;
  try {
    value = JSON.parse(description ?? '');
  } catch {
    return undefined;
  }
  const found = written.safeParse(value);
  if (!found.success) return undefined;
  const { data } = found;
  return {
    name,
    stream: data.stream as StreamName,
    partition: data.partition,
    incarnation: data.incarnation,
    from: data.from,
    to: data.to,
    records: data.records,
    landedAt: data.landed_at,
    begins: data.begins,
    fields,
    receivedDays: daysOf(data.received_days),
    recentDays: daysOf(data.recent_days),
    recentRows: data.recent_rows,
    oldDays: daysOf(data.old_days),
    oldRows: data.old_rows,
  };
}
