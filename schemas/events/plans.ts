import { type AvroRecord, isRecord, itemsOf } from '../streams/declaration.ts';
import {
  type NestedSourcedFields,
  type SourcedFields,
  type StreamName,
  type StreamRecords,
  streamSchemas,
} from '../streams/streams.generated.ts';
import { type Plan, planOf } from './fields.ts';

/** The fields of a stream's record that the plan fills. `Made` are the fields that the reader sets itself. */
export type Sourced<S extends StreamName, Made = never> = Pick<
  StreamRecords[S],
  Exclude<SourcedFields[S], Made> & keyof StreamRecords[S]
>;

/**
 * Compiles a plan for those fields of a stream that are read from the event's data. The reader itself sets the fields
 * named in `made`. The members named in `elsewhere` do not count as unknown, because other code reads them.
 */
export function planOfStream<S extends StreamName, const Made extends SourcedFields[S] = never>(
  stream: S,
  made: readonly Made[] = [],
  elsewhere: readonly string[] = [],
): Plan<Sourced<S, Made>> {
  return planOf<Sourced<S, Made>>(streamSchemas[stream], '$.data', made as readonly string[], elsewhere);
}

/** The type of an object inside a record: either a single object or an element of a list. */
type Inner<Field> = Field extends readonly (infer Item)[] ? Item : Field;

/** The fields that a plan fills in an object inside a record. */
export type NestedSourced<S extends StreamName, F extends keyof StreamRecords[S] & keyof NestedSourcedFields[S]> = Pick<
  Inner<StreamRecords[S][F]>,
  NestedSourcedFields[S][F] & keyof Inner<StreamRecords[S][F]>
>;

/** Compiles a plan for the objects in the field `name`. Their members are below `prefix`, such as `$.data.results[*]`. */
export function planOfNested<S extends StreamName, F extends keyof StreamRecords[S] & keyof NestedSourcedFields[S]>(
  stream: S,
  name: F,
  prefix: string,
  elsewhere: readonly string[] = [],
): Plan<NestedSourced<S, F>> {
  const { type } = streamSchemas[stream].fields.find((field) => field.name === name)!;
  const inner = itemsOf(type) ?? type;
  if (!isRecord(inner)) throw new Error(`${stream}: the field ${String(name)} does not hold objects`);
  return planOf<NestedSourced<S, F>>(inner as AvroRecord, prefix, [], elsewhere);
}
