import type { Receipt, StreamName } from '../streams/streams.generated.ts';
import type { Reading } from './verdict.ts';

/** Reads the parsed body of an event into the record of its stream. Pure: the same body and receipt give the same record. */
export function readEvent<S extends StreamName>(_stream: S, _eventType: string, _body: unknown, _receipt: Receipt): Reading<S> {
  throw new Error('not yet');
}
