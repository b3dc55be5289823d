import { streamSchemas } from '../streams/streams.generated.ts';
import { readAround } from './envelope.ts';
import { extraText } from './fields.ts';
import { jsonText } from './json-text.ts';
import type { Reader } from './summary.ts';

const reader = streamSchemas.raw_events.aorta.revision;

const isSent = (data: unknown): data is NonNullable<unknown> => data !== undefined && data !== null;

/** Reads `raw.{provider}.{dataset}`: the provider's own data, of any form, is kept as it came. */
export const readRawEvent: Reader<'raw_events'> = (eventType, body, receipt) => {
  const envelope = readAround(eventType, body, isSent);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const [, provider, ...dataset] = eventType.split('.');
  const record = {
    receipt,
    event,
    reader,
    provider: provider || 'unknown',
    dataset: dataset.join('.'),
    payload: jsonText(data),
    extra: extraText(leftovers),
  };
  return { kind: 'record', record, refused: leftovers.refused };
};
