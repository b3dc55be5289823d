import { isObject, type JsonObject } from './fields.ts';
import { parseInstant } from './instant.ts';
import type { RefusedPart } from './read-result.ts';
import { resourcesKeyedByType, sampleMembers } from './resource.ts';
import { startOf } from './samples.ts';

const keyedByType = new Set(resourcesKeyedByType);
/** The members that say what was measured. */
const measured = ['end', 'value', 'unit', 'systolic', 'diastolic', 'grouping', 'tags', ...sampleMembers];

/**
 * Returns a part for each sample whose key a later sample of the event has with another value. The tables keep the later
 * sample, as they do for samples of two events. Within an event this is no correction: a provider that sends local times
 * repeats an hour when clocks go back, and two readings then share a key.
 */
export function repeatedKeys(resource: string, samples: readonly unknown[]): RefusedPart[] {
  const parts: RefusedPart[] = [];
  const kept = new Map<string, JsonObject>();
  for (let index = samples.length - 1; index >= 0; index--) {
    const sample = samples[index];
    if (!isObject(sample)) continue;
    const start = startOf(sample);
    if (Number.isNaN(start)) continue;
    const key = `${start} ${keyedByType.has(resource) ? (sample.type ?? '') : ''}`;
    const later = kept.get(key);
    if (later === undefined) kept.set(key, sample);
    else if (measuredText(later) !== measuredText(sample))
      parts.push({ reason: 'sample_key_repeated', place: `data.data[${index}]` });
  }
  return parts.reverse();
}

/** Returns what a sample measured, as a text that is equal for equal values. An empty string is equal to no value. */
function measuredText(sample: JsonObject): string {
  return JSON.stringify(
    measured.map((member) => {
      const value = sample[member] ?? '';
      return member === 'end' && typeof value === 'string' ? parseInstant(value) : value;
    }),
  );
}

/** True if the times only rise or only fall, so no two of them are equal. */
export function areDistinct(times: readonly number[]): boolean {
  const falling = times.length > 1 && times[1]! < times[0]!;
  for (let index = 1; index < times.length; index++)
    if (falling ? times[index]! >= times[index - 1]! : times[index]! <= times[index - 1]!) return false;
  return true;
}
