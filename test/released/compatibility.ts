import type { AvroRecord, AvroType, FieldDeclaration } from '../../schemas/streams/declaration.ts';

/**
 * Returns one sentence for each way in which a declaration breaks compatibility with a released version of itself.
 *
 * The rule is slightly stricter than Confluent's FULL_TRANSITIVE. Every version must be able to read the records of every other
 * version, so a new field needs a default, and no field may be removed. A field must also keep its type, unit and form, so that
 * existing tables keep their columns and their meaning. Avro would allow an int to become a long, which the older version cannot
 * read.
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

/** Accepted breaking changes, by released version. That version cannot read current records, so a downgrade is impossible. */
export const acceptedBreaks: Readonly<Record<string, readonly string[]>> = {
  'users v1': ['ServiceUser.customer_user_id is gone'],
};

/** Columns of views that had another name in a release: the local day of a row is `local_date` in every view. */
export const releasedName = (view: string, column: string): string =>
  column === 'local_date' && /^(person_days|timeseries_daily|workouts_deduplicated|menstrual_cycle_\w+)$/.test(view)
    ? 'calendar_date'
    : column;

/** Values of views that were different in a release: `workouts` was NULL on a day without a workout. */
export const releasedValue = (view: string, column: string, value: unknown): unknown =>
  view === 'person_days' && column === 'workouts' && value === 0 ? null : value;

function fieldBreaks(was: FieldDeclaration, is: FieldDeclaration, at: string): string[] {
  const changed = (['unit', 'json', 'per', 'default'] as const).filter(
    (attribute) => JSON.stringify(was[attribute]) !== JSON.stringify(is[attribute]),
  );
  return [...typeBreaks(was.type, is.type, at), ...changed.map((attribute) => `${at} has a different ${attribute}`)];
}

const isRecord = (type: AvroType): type is AvroRecord => typeof type === 'object' && 'fields' in type;

const kindOf = (type: AvroType): unknown => (type as { type?: unknown }).type;

/** Returns the type of an array's items or of a map's values. */
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
  return JSON.stringify(was) === JSON.stringify(is) ? [] : [`${at} has a different type`];
}

/** Whether two versions of a declaration have the same encoding and meaning. Ignores documentation, sources and classes. */
export function sameOnTheWire(a: AvroRecord, b: AvroRecord): boolean {
  return breaks(a, b).length === 0 && breaks(b, a).length === 0 && names(a) === names(b);
}

/** Returns all field names in their order, which is the order of the encoded bytes. */
function names(type: AvroType): string {
  if (isRecord(type)) return `{${type.fields.map((field) => `${field.name}:${names(field.type)}`).join()}}`;
  if (Array.isArray(type)) return type.map(names).join('|');
  const inner = elementType(type);
  return inner === undefined ? '' : `[${names(inner)}]`;
}
