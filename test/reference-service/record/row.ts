import { type Column, elementFields, type TableDeclaration, tables } from '@aorta/schemas';

// biome-ignore lint/suspicious/noExplicitAny: the members of the answers are compared one by one.
export type Answered = any;
export type Row = Readonly<Record<string, unknown>>;

const withheld = new Set(['identifier', 'patient', 'secret']);

export function tableNamed(name: string): TableDeclaration {
  return tables.find((table) => table.name === name)!;
}

/**
 * Returns the columns that hold what the service has. The other ones say where and when Aorta got a row, or are withheld. Unknown
 * members may identify a person, too, so a table with withheld columns has no `extra`.
 */
function ownColumns({ columns }: TableDeclaration): readonly Column[] {
  const isWithheld = (column: Column) => withheld.has(column.class);
  const landed = columns.filter((column) => !column.name.startsWith('_') && !isWithheld(column));
  return columns.some(isWithheld) ? landed.filter(({ name }) => name !== 'extra') : landed;
}

/** Writes a time as the tables do: in UTC, without zeros at the end of its fraction. */
export function time(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const fraction = /\.(\d*?)0*(?=\D|$)/.exec(text)?.[1] ?? '';
  const whole = new Date(Date.parse(text)).toISOString().slice(0, 19).replace('T', ' ');
  return `${whole}${fraction === '' ? '' : `.${fraction}`}+00`;
}

export function valueIn({ type, source }: Pick<Column, 'type' | 'source'>, sent: Answered): unknown {
  const fields = elementFields(type);
  if (fields !== undefined)
    return (sent ?? []).map((element: Answered) =>
      Object.fromEntries(
        fields
          .filter((field) => !withheld.has(field.class))
          .map((field) => [field.name, valueIn(field, memberOf(element, field.source?.slice(`${source}[*].`.length)))]),
      ),
    );
  if (typeof type === 'object') return sent ?? [];
  return type === 'timestamp' ? time(sent) : (sent ?? null);
}

function memberOf(value: Answered, path: string | undefined): Answered {
  return path?.split('.').reduce((object, member) => object?.[member], value);
}

/**
 * Returns the row that a table must have for an event with this body. The declarations of the tables say only which member a
 * column holds. The values come from the body. Every member has a column, so `extra` is null. `own` has the columns that hold no
 * single member.
 */
export function rowOf(name: string, body: Answered, own: Row = {}): Row {
  const row = ownColumns(tableNamed(name)).map((column) => [
    column.name,
    valueIn(column, memberOf(body, column.source?.slice(2))),
  ]);
  return { ...Object.fromEntries(row), ...own };
}

/** Returns the columns of a timeseries table that differ between samples, each with the member of a sample that it holds. */
export function sampleColumns(name: string): readonly (readonly [column: Column, member: string])[] {
  return ownColumns(tableNamed(name))
    .filter(({ perSample, source }) => perSample === true && source !== undefined)
    .map((column) => [column, column.source!.slice('$.data.data[*].'.length)]);
}
