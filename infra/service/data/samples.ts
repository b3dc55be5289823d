import { instant } from '../api/times.ts';
import type { User } from '../users/user.ts';
import type { Json, Source } from './arrival.ts';
import { timeseriesOf } from './forms/samples.ts';
import { offsetOf } from './time-zone-offset.ts';

/** A sample as the service keeps it. */
export interface Sample {
  /** `timestamp`, or `start` of an interval, in milliseconds since 1970. */
  readonly at: number;
  /** Local date, such as 2026-01-31. */
  readonly date: string;
  /** What tells apart samples of one time and source, beside the key that the service documents. */
  readonly variant: string;
  readonly body: Json;
}

/**
 * Returns a sample in the spelling of the service. If the source has no time zone, the user's fallback gives the offset. Only
 * sources with local times keep their missing offset.
 */
export function sampleOf(
  given: Json,
  resource: string,
  source: Source,
  { user, isFloating }: { user: User; isFloating: boolean },
): Sample {
  const written = (name: string): Json => {
    const value = given[name];
    return value == null ? {} : { [name]: instant(Date.parse(String(value))) };
  };
  const begin = given.start ?? given.timestamp;
  const at = Date.parse(String(begin));
  const zone = isFloating ? null : user.fallback_time_zone;
  const timezone_offset = (given.timezone_offset as number | null | undefined) ?? (zone === null ? null : offsetOf(zone, at));
  const body = {
    ...given,
    ...(given.timestamp == null && given.start != null ? { timestamp: instant(at) } : written('timestamp')),
    ...written('start'),
    ...written('end'),
    timezone_offset,
    type: given.type === '' ? null : (given.type ?? null),
  };
  const hasTypes = timeseriesOf(resource)?.hasTypes === true;
  return {
    at,
    date: new Date(at + (timezone_offset ?? 0) * 1000).toISOString().slice(0, 10),
    variant: `${hasTypes ? (body.type ?? '') : ''}${source.workout_id === null ? '' : ` ${source.workout_id}`}`,
    body,
  };
}

/** Splits samples into batches of at most `limit` bytes of JSON, not counting the brackets. A larger sample gets its own batch. */
export function batchesOf(samples: readonly Json[], limit: number): Json[][] {
  if (Buffer.byteLength(JSON.stringify(samples)) <= limit) return samples.length === 0 ? [] : [[...samples]];
  const batches: Json[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const sample of samples) {
    const size = Buffer.byteLength(JSON.stringify(sample)) + 1;
    if (bytes + size > limit) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(sample);
    bytes += size;
  }
  return batches;
}
