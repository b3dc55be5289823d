import { type Receipt, type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, planOf, readFields } from './fields.ts';
import { originMembers, readOrigin, timeBasis } from './origin.ts';
import { PerSample } from './per-sample.ts';
import { resourceOf, type TimeseriesStream } from './resource.ts';
import { type Batch, readSamples, shapeOf } from './samples.ts';
import type { Reader } from './summary.ts';
import type { Reading } from './verdict.ts';

/** The reader of a timeseries stream. A batch needs an array of samples, a sample a time; nothing else is demanded. */
export function timeseriesReader<S extends TimeseriesStream>(stream: S): Reader<S> {
  const schema = streamSchemas[stream];
  const plan = planOf(schema, '$.data', [], ['data', ...originMembers]);
  const revision = schema.aorta.revision;

  return (eventType: string, body: unknown, receipt: Receipt): Reading<S> => {
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
    const shape = shapeOf(stream, resource);
    const measures = shape.measures();
    readSamples(samples, batch, measures, shape.known);
    const record: Record<string, unknown> = { ...plan.empty };
    Object.assign(record, { receipt, event, reader: revision, resource, origin, time_basis: basis });
    readFields(plan, data, 'data', record, leftovers);
    record.start_at = batch.starts;
    record.timezone_offset_s = batch.offsets.values();
    Object.assign(record, measures.fields());
    record.sample_type = batch.types.values();
    record.unit = batch.units.values();
    record.sample_id = batch.ids.values();
    record.sample_extra = batch.extras.values();
    record.extra = extraText(leftovers);
    return { kind: 'record', record: record as unknown as StreamRecords[S], refused: batch.refused };
  };
}
