import { deliveryLine } from './delivery-files.ts';
import { type Delivery, deliveries, type HealthEvent } from './delivery-schedule.ts';
import type { PeopleOptions } from './options.ts';

/** A delivery as a reader sees it, after JSON, with its instants in microseconds. */
export interface Seen extends Delivery {
  body: HealthEvent & { data: Record<string, unknown> };
  micros: number;
  line: string;
}

/** `2026-03-20T06:01:02.123456Z` to microseconds. */
function micros(text: string): number {
  const [seconds = '', rest = ''] = text.split('.');
  return Date.parse(`${seconds}Z`) * 1000 + Number(rest.slice(0, 6));
}

/** Everything that the options make, read back from its lines. */
export function recording(options: PeopleOptions): Seen[] {
  return Array.from(deliveries(options), (delivery) => {
    const line = deliveryLine(delivery);
    const read = JSON.parse(line) as Omit<Seen, 'micros' | 'line'>;
    return { ...read, micros: micros(read.received_at), line };
  });
}

/** Members that samples of all shapes may have. */
export interface AnySample {
  timestamp?: string;
  start?: string;
  end?: string;
  timezone_offset: number | null;
  type: string | null;
  unit: string;
  value?: number;
  systolic?: number;
  diastolic?: number;
  grouping?: unknown[];
}

/** The samples of a timeseries event, and its source. */
export function samplesOf(seen: Seen): AnySample[] {
  return Array.isArray(seen.body.data.data) ? (seen.body.data.data as AnySample[]) : [];
}

/** Provider slug of a daily event, in either generation. */
export function providerSlug(seen: Seen): string {
  const source = seen.body.data.source as { provider?: string; slug?: string };
  return source.provider ?? source.slug ?? '';
}

/** Source type of a daily event; the oldest generation has none. */
export function sourceType(seen: Seen): string {
  return (seen.body.data.source as { type?: string }).type ?? 'unknown';
}

/** Rates with which nothing goes wrong on the way. */
export const smooth = { redelivery: 0, late: 0, failedRetry: 0, otherBody: 0 };
