import { type Receipt, type SampleFields, type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, type JsonObject, planOfStream, readFields } from './fields.ts';
import { parseInstant } from './instant.ts';
import { originMembers, readOrigin, timeBasis } from './origin.ts';
import type { ReadingOf, RefusedPart } from './read-result.ts';
import { resourceOf, resourcesKeyedByType, sampleMembers, type TimeseriesStream } from './resource.ts';
import { type Batch, type CommonSampleField, type MeasureFields, PerSample, readSamples, shapeOf, startOf } from './samples.ts';

type BatchRecord = Omit<StreamRecords['timeseries'], Exclude<SampleFields['timeseries'], CommonSampleField>>;

const keyedByType = new Set(resourcesKeyedByType);
/** The members that say what was measured. */
const measured = ['end', 'value', 'unit', 'systolic', 'diastolic', 'grouping', 'tags', ...sampleMembers];

/**
 * Returns a part for each sample if a later sample of the event has the same key but another value. The tables keep the
 * later sample, as they do for samples of two events. Within one event, the later sample is not a correction. When clocks go
 * back, a provider that sends local times repeats an hour, so two readings share a key.
 */
function repeatedKeys(resource: string, samples: readonly unknown[]): RefusedPart[] {
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

/** Returns the measured values of a sample as one string, for comparison. An empty string counts as a missing value. */
function measuredText(sample: JsonObject): string {
  return JSON.stringify(
    measured.map((member) => {
      const value = sample[member] ?? '';
      return member === 'end' && typeof value === 'string' ? parseInstant(value) : value;
    }),
  );
}

/** True if the times only rise or only fall, so no two of them are equal. */
function areDistinct(times: readonly number[]): boolean {
  const falling = times.length > 1 && times[1]! < times[0]!;
  for (let index = 1; index < times.length; index++)
    if (falling ? times[index]! >= times[index - 1]! : times[index]! <= times[index - 1]!) return false;
  return true;
}

/** Creates the reader of a timeseries stream. It refuses a batch without an array of samples, and a sample without a time. */
export function timeseriesReader<S extends TimeseriesStream>(
  stream: S,
): (eventType: string, body: unknown, receipt: Receipt) => ReadingOf<BatchRecord & MeasureFields<S>> {
  const plan = planOfStream<TimeseriesStream>(stream, [], ['data', ...originMembers]);
  const reader = streamSchemas[stream].aorta.revision;
  const shapeOfResource = shapeOf[stream];

  return (eventType, body, receipt) => {
    const envelope = readEnvelope(eventType, body);
    if (envelope.kind === 'refused') return envelope;
    const resource = resourceOf(eventType);
    if (resource === undefined) return { kind: 'refused', reason: 'no_resource', place: 'event_type' };
    const { event, data, leftovers } = envelope;
    const samples = data.data;
    if (!Array.isArray(samples)) return { kind: 'refused', reason: 'no_samples', place: 'data.data' };

    const origin = readOrigin(data, leftovers);
    const basis = timeBasis(origin.provider);
    const batch: Batch = {
      floating: basis === 'floating',
      starts: [],
      offsets: new PerSample(),
      types: new PerSample(),
      units: new PerSample(),
      ids: new PerSample(),
      extras: new PerSample(),
      refused: leftovers.refused,
    };
    const shape = shapeOfResource(resource);
    const measures = shape.measures();
    readSamples(samples, batch, measures, shape.known);
    if (!areDistinct(batch.starts)) batch.refused.push(...repeatedKeys(resource, samples));
    const record: BatchRecord = {
      ...plan.empty,
      receipt,
      event,
      reader,
      resource,
      origin,
      time_basis: basis,
      start_at: batch.starts,
      timezone_offset_s: batch.offsets.values(),
      sample_type: batch.types.values(),
      unit: batch.units.values(),
      sample_id: batch.ids.values(),
      sample_extra: batch.extras.values(),
      extra: null,
    };
    readFields(plan, data, record, { path: 'data', leftovers });
    record.extra = extraText(leftovers);
    return { kind: 'record', record: Object.assign(record, measures.fields()), refused: batch.refused };
  };
}
