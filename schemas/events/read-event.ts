import type { Receipt, StreamName } from '../streams/streams.generated.ts';
import { readConnection } from './connection.ts';
import { readHistoricalCompletion } from './historical-completion.ts';
import { type Reader, summaryReader } from './summary.ts';
import { timeseriesReader } from './timeseries.ts';
import type { Reading } from './verdict.ts';

/** The streams that events are read into; the others keep deliveries whole. */
export type EventStream = Exclude<StreamName, 'unrouted' | 'redelivered' | 'dead_letters'>;

const readers: { readonly [S in EventStream]: Reader<S> } = {
  activity: summaryReader('activity'),
  sleep: summaryReader('sleep'),
  timeseries: timeseriesReader('timeseries'),
  blood_pressure: timeseriesReader('blood_pressure'),
  notes: timeseriesReader('notes'),
  connections: readConnection,
  historical_completions: readHistoricalCompletion,
};

/**
 * Reads the parsed body of an event into the record of its stream. Pure: the same body and receipt give the same record.
 * It refuses what cannot be identified (user, summary id, time of a sample) and nothing else.
 */
export function readEvent<S extends EventStream>(stream: S, eventType: string, body: unknown, receipt: Receipt): Reading<S> {
  return (readers[stream] as unknown as Reader<S>)(eventType, body, receipt);
}
