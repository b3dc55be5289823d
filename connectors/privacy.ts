import { type Column, elementFields, type PrivacyClass, type TableDeclaration } from '@aorta/schemas';
import * as z from 'zod';

/** Switches that decide which classes of columns are landed. Keys and measures are always landed, and secrets never are. */
export const privacyOptions = z.strictObject({
  identifiers: z
    .boolean()
    .default(false)
    .describe(
      'Whether to land data that identifies a person: names, addresses, phone numbers, e-mail addresses, and the user id at the provider.',
    ),
  patients: z
    .boolean()
    .default(false)
    .describe(
      'Whether to land data that identifies the patient of a lab order or report: name, birth date, address, insurance, sample number, and tracking of a test kit.',
    ),
  free_text: z.boolean().default(true).describe('Whether to land free text written by people or by the service.'),
  location: z.boolean().default(true).describe('Whether to land locations: coordinates, routes and similar data.'),
});

export type Privacy = z.output<typeof privacyOptions>;

/** Classes that a switch controls, and their plain-language names. */
const switched: Partial<Record<PrivacyClass, { readonly by: keyof Privacy; readonly words: string }>> = {
  identifier: { by: 'identifiers', words: 'identifiers' },
  patient: { by: 'patients', words: 'identifiers of patients' },
  free_text: { by: 'free_text', words: 'free text' },
  location: { by: 'location', words: 'locations' },
};

/** Classes that are never landed, and their plain-language names. */
const neverLanded: Partial<Record<PrivacyClass, string>> = { secret: 'secrets', whole: 'whole deliveries' };

/** Returns the plain-language names of the classes that are switched off, and of secrets, which are never landed. */
export function notLanded(privacy: Privacy): string[] {
  const off = Object.values(switched).filter(({ by }) => !privacy[by]);
  return [...off.map(({ words }) => words), 'secrets'];
}

/**
 * Returns the reason why a class is not landed, and the plain-language name of the class. Returns undefined if the class is
 * landed. Does not handle `extra`.
 */
function withheldClass(
  privacyClass: PrivacyClass,
  privacy: Privacy,
): { readonly reason: string; readonly words: string } | undefined {
  const words = neverLanded[privacyClass];
  if (words !== undefined) return { reason: `${words} never are`, words };
  const choice = switched[privacyClass];
  return choice === undefined || privacy[choice.by] ? undefined : { reason: `privacy.${choice.by} is off`, words: choice.words };
}

/** A column, or a field of the objects in a list column. */
type Described = Pick<Column, 'class'>;

/**
 * Returns the reason why these settings withhold a column, or a field of the objects in a list column. Returns undefined if
 * the column or field is landed. The `extra` column holds unknown fields, which may belong to any class. It is landed only if
 * the classes of all other columns of the table are landed.
 */
export function withheld(table: TableDeclaration, described: Described, privacy: Privacy): string | undefined {
  if (described.class !== 'extra') return withheldClass(described.class, privacy)?.reason;
  const all = table.columns.flatMap((column): readonly Described[] => [column, ...(elementFields(column.type) ?? [])]);
  const words = new Set(all.map((other) => withheldClass(other.class, privacy)?.words));
  words.delete(undefined);
  return words.size === 0 ? undefined : `it may hold ${[...words].join(' or ')}, which are not`;
}

/**
 * Returns the declaration with only the columns and list fields that these settings land. Landed batches,
 * tables, merges and views are all built from this declaration, so none of them can name a withheld column.
 */
export function landedTable(table: TableDeclaration, privacy: Privacy): TableDeclaration {
  const names: string[] = [];
  const columns = table.columns.flatMap((column): Column[] => {
    const fields = elementFields(column.type);
    const landed = fields?.filter((field): boolean => withheld(table, field, privacy) === undefined);
    if (withheld(table, column, privacy) !== undefined || landed?.length === 0) {
      names.push(column.name);
      return [];
    }
    if (fields === undefined || landed === undefined) return [column];
    for (const field of fields) if (!landed.includes(field)) names.push(`${column.name}[].${field.name}`);
    return [{ ...column, type: { list: landed } }];
  });
  return names.length === 0 ? { ...table, columns } : { ...table, columns, withheld: names };
}
