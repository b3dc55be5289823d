import { streamSchemas } from '../streams/streams.generated.ts';
import { readAround } from './envelope.ts';
import { extraText } from './fields.ts';
import { jsonText, unkeepable } from './json-text.ts';
import type { Reader } from './summary.ts';

const reader = streamSchemas.raw_events.aorta.revision;

const isSent = (data: unknown): data is NonNullable<unknown> => data !== undefined && data !== null;

/** Reads `raw.{provider}.{dataset}`. The provider's data may have any form and is kept as sent. */
export const readRawEvent: Reader<'raw_events'> = (eventType, body, receipt) => {
  const envelope = readAround(eventType, body, isSent);
  if (envelope.kind === 'refused') return envelope;
  const { event, data, leftovers } = envelope;
  const reason = unkeepable(data);
  if (reason !== undefined) return { kind: 'refused', reason, place: 'data' };
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
