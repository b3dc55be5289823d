import { type AvroRecord, isRecord, itemsOf } from '../streams/declaration.ts';
import {
  type NestedSourcedFields,
  type SourcedFields,
  type StreamName,
  type StreamRecords,
  streamSchemas,
} from '../streams/streams.generated.ts';
import { type Plan, planOf } from './fields.ts';

/** Plans by the names of streams: their types and the declarations that they are compiled from have one source, the `.avsc`. */

/** The fields of a stream's record that a plan fills, apart from those that the reader makes. */
export type Sourced<S extends StreamName, Made = never> = Pick<
  StreamRecords[S],
  Exclude<SourcedFields[S], Made> & keyof StreamRecords[S]
>;

/**
 * The plan of a stream's fields whose source lies in the data. The reader makes those named in `made` itself; members
 * named in `elsewhere` have another reader, so they do not count as unknown.
 */
export function planOfStream<S extends StreamName, const Made extends SourcedFields[S] = never>(
  stream: S,
  made: readonly Made[] = [],
  elsewhere: readonly string[] = [],
): Plan<Sourced<S, Made>> {
  return planOf<Sourced<S, Made>>(streamSchemas[stream], '$.data', made as readonly string[], elsewhere);
}

/** The type of an object inside a record, single or listed. */
type Inner<Field> = Field extends readonly (infer Item)[] ? Item : Field;

/** The fields of an object inside a record that a plan fills. */
export type NestedSourced<S extends StreamName, F extends keyof StreamRecords[S] & keyof NestedSourcedFields[S]> = Pick<
  Inner<StreamRecords[S][F]>,
  NestedSourcedFields[S][F] & keyof Inner<StreamRecords[S][F]>
>;

/** The plan of the objects in the field `name`, whose members lie below `prefix`, such as `$.data.results[*]`. */
export function planOfNested<S extends StreamName, F extends keyof StreamRecords[S] & keyof NestedSourcedFields[S]>(
  stream: S,
  name: F,
  prefix: string,
  elsewhere: readonly string[] = [],
): Plan<NestedSourced<S, F>> {
  const { type } = streamSchemas[stream].fields.find((field) => field.name === name)!;
  const inner = itemsOf(type) ?? type;
  if (!isRecord(inner)) throw new Error(`${stream}: ${String(name)} holds no objects`);
  return planOf<NestedSourced<S, F>>(inner as AvroRecord, prefix, [], elsewhere);
}
