import { type Receipt, type SampleFields, type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, readFields } from './fields.ts';
import { originMembers, readOrigin, timeBasis } from './origin.ts';
import { PerSample } from './per-sample.ts';
import { planOfStream } from './plans.ts';
import type { ReadingOf } from './read-result.ts';
import { areDistinct, repeatedKeys } from './repeated-keys.ts';
import { resourceOf, type TimeseriesStream } from './resource.ts';
import { type Batch, type CommonSampleField, type MeasureFields, readSamples, shapeOf } from './samples.ts';

type BatchRecord = Omit<StreamRecords['timeseries'], Exclude<SampleFields['timeseries'], CommonSampleField>>;

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
