import type { AvroRecord, AvroType, FieldDeclaration } from '../../schemas/streams/declaration.ts';

/**
 * What a declaration may not do to a released version of itself, as sentences; none where it is compatible.
 *
 * The rule is Confluent's FULL_TRANSITIVE, and a little more. Every version reads every other: so fields only come, with
 * a default, and never go. Nor does a field that is there change its type (Avro would let an int become a long, which the
 * version before could not read), its unit or its form: tables that are there keep their columns, and their meaning.
 */
export function breaks(released: AvroRecord, present: AvroRecord, at: string = released.name): string[] {
  const fields = new Map(present.fields.map((field) => [field.name, field]));
  const known = new Set(released.fields.map(({ name }) => name));
  return [
    ...(released.name === present.name ? [] : [`${at} is now called ${present.name}`]),
    ...released.fields.flatMap((field) => {
      const now = fields.get(field.name);
      return now === undefined ? [`${at}.${field.name} is gone`] : fieldBreaks(field, now, `${at}.${field.name}`);
    }),
    ...present.fields
      .filter(({ name, default: fallback }) => !known.has(name) && fallback === undefined)
      .map(({ name }) => `${at}.${name} is new and has no default`),
  ];
}

/**
 * Breaks that were decided on, by released version. A present declaration still reads what that version wrote; that
 * version does not read what is written now, so there is no way back to its release.
 */
export const acceptedBreaks: Readonly<Record<string, readonly string[]>> = {
  // Where only some samples of an event have an end, the others' is null; in 0.1.0 the whole event became a dead letter.
  'timeseries v1': ['Timeseries.end_at[] has another type'],
};

function fieldBreaks(was: FieldDeclaration, is: FieldDeclaration, at: string): string[] {
  const changed = (['unit', 'json', 'per', 'default'] as const).filter(
    (attribute) => JSON.stringify(was[attribute]) !== JSON.stringify(is[attribute]),
  );
  return [...typeBreaks(was.type, is.type, at), ...changed.map((attribute) => `${at} has another ${attribute}`)];
}

const isRecord = (type: AvroType): type is AvroRecord => typeof type === 'object' && 'fields' in type;

const kindOf = (type: AvroType): unknown => (type as { type?: unknown }).type;

/** What an array or a map holds. */
function elementType(type: AvroType): AvroType | undefined {
  const { items, values } = type as { items?: AvroType; values?: AvroType };
  return Array.isArray(type) ? undefined : (items ?? values);
}

function typeBreaks(was: AvroType, is: AvroType, at: string): string[] {
  if (Array.isArray(was) && Array.isArray(is) && was.length === is.length)
    return was.flatMap((branch, index) => typeBreaks(branch, is[index]!, at));
  if (isRecord(was) && isRecord(is)) return breaks(was, is, at);
  const [inner, now] = [elementType(was), elementType(is)];
  if (inner !== undefined && now !== undefined && kindOf(was) === kindOf(is)) return typeBreaks(inner, now, `${at}[]`);
  return JSON.stringify(was) === JSON.stringify(is) ? [] : [`${at} has another type`];
}

/** Whether two versions of a declaration are the same on the wire; documentation, sources and classes do not count. */
export function sameOnTheWire(a: AvroRecord, b: AvroRecord): boolean {
  return breaks(a, b).length === 0 && breaks(b, a).length === 0 && names(a) === names(b);
}

/** All field names in their order, which is the order of the bytes. */
function names(type: AvroType): string {
  if (isRecord(type)) return `{${type.fields.map((field) => `${field.name}:${names(field.type)}`).join()}}`;
  if (Array.isArray(type)) return type.map(names).join('|');
  const inner = elementType(type);
  return inner === undefined ? '' : `[${names(inner)}]`;
}
