import { dateText, offsetOf, timeOf } from '../api/times.ts';
import type { User } from '../users/user.ts';
import type { Json, Source } from './arrival.ts';
import { timeseriesOf } from './forms/samples.ts';
import { bodyOf, type Packed, Packer } from './packing.ts';

/** A sample as the service keeps it. */
export interface Sample extends Packed {
  /** Local date, such as 2026-01-31. */
  readonly date: string;
  /** What tells apart samples of one time and source, beside the key that the service documents. */
  readonly variant: string;
}

/**
 * Returns samples of one source in the spelling of the service. If the source has no time zone, the user's fallback gives the
 * offset. Only sources with local times keep their missing offset.
 */
export function samplesOf(
  given: readonly Json[],
  resource: string,
  source: Source,
  { user, isFloating }: { user: User; isFloating: boolean },
): Sample[] {
  const zone = isFloating ? null : user.fallback_time_zone;
  const hasTypes = timeseriesOf(resource)?.hasTypes === true;
  const workout = source.workout_id === null ? '' : ` ${source.workout_id}`;
  const packer = new Packer();
  return given.map((one) => {
    const sample = completed(one, zone);
    const { at, shape, value } = packer.pack(sample);
    const offset = sample.timezone_offset as number | null;
    const variant = hasTypes ? `${sample.type ?? ''}${workout}` : workout;
    return { at, shape, value, date: dateText(at + (offset ?? 0) * 1000), variant };
  });
}

/** Returns a sample with the members that every sample of the service has. */
function completed(given: Json, zone: string | null): Json {
  const { timestamp, start, timezone_offset: offset, type } = given;
  const isInterval = timestamp == null && start != null;
  const hasOffset = offset !== undefined && (offset !== null || zone === null);
  if (!isInterval && hasOffset && type !== undefined && type !== '') return given;
  const fallback = zone === null ? null : offsetOf(zone, timeOf(String(start ?? timestamp)));
  return {
    ...given,
    ...(isInterval ? { timestamp: start } : {}),
    timezone_offset: offset ?? fallback,
    type: type === '' ? null : (type ?? null),
  };
}

/** Splits samples into batches of at most `limit` bytes of JSON, not counting the brackets. A larger sample gets its own batch. */
export function batchesOf(samples: readonly Sample[], limit: number): Sample[][] {
  if (samples.length === 0) return [];
  // Most batches are far from the limit, so their exact size does not matter.
  if (samples.reduce((sum, { shape }) => sum + shape.maxBytes + 1, 0) <= limit) return [[...samples]];
  const batches: Sample[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const sample of samples) {
    const size = Buffer.byteLength(JSON.stringify(bodyOf(sample))) + 1;
    if (bytes + size > limit) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(sample);
    bytes += size;
  }
  return batches;
}
