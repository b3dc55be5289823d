import { type Delivery, deliveries, deliveryLine, type HealthEvent, type RecordingOptions } from './deliveries.ts';
import { type Member, memberOf, type People } from './schedule.ts';
import type { TimeZone } from './time-zone.ts';

/** A delivery parsed from its line in a delivery file. `micros` is the time of receipt in microseconds since 1970. */
export interface Seen extends Delivery {
  body: HealthEvent & { data: Record<string, unknown> };
  micros: number;
  line: string;
}

/** Converts `2026-03-20T06:01:02.123456Z` to microseconds since 1970. */
function micros(text: string): number {
  const [seconds = '', rest = ''] = text.split('.');
  return Date.parse(`${seconds}Z`) * 1000 + Number(rest.slice(0, 6));
}

/** Generates a recording with the given options, and returns its deliveries, parsed from their lines. */
export function recording(options: RecordingOptions): Seen[] {
  return Array.from(deliveries(options), (delivery) => {
    const line = deliveryLine(delivery);
    const read = JSON.parse(line) as Omit<Seen, 'micros' | 'line'>;
    return { ...read, micros: micros(read.received_at), line };
  });
}

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

/** Returns the samples of a timeseries event, or an empty list for any other event. */
export function samplesOf(seen: Seen): AnySample[] {
  return Array.isArray(seen.body.data.data) ? (seen.body.data.data as AnySample[]) : [];
}

/** Returns the provider slug of a daily event, whichever form its source object has. */
export function providerSlug(seen: Seen): string {
  const source = seen.body.data.source as { provider?: string; slug?: string };
  return source.provider ?? source.slug ?? '';
}

/** Returns the source type of a daily event. Returns `unknown` if the event uses the oldest format, which has no source type. */
export function sourceType(seen: Seen): string {
  return (seen.body.data.source as { type?: string }).type ?? 'unknown';
}

/** Rates for recordings without delivery faults. */
export const smooth = { redelivery: 0, late: 0, failedRetry: 0, otherBody: 0 };

/** Returns the people of a recording without breaks. */
export function membersOf(options: People): Member[] {
  return Array.from({ length: options.people }, (_, index) => memberOf(options, index, 0));
}

/** Returns the time zone of each person, by user id. */
export function zonesOf(options: People): Map<string, TimeZone> {
  return new Map(membersOf(options).map(({ person }) => [person.userId, person.zone]));
}
