import { type Column, deliveries, type PrivacyClass, type TableDeclaration, tables } from '@aorta/schemas';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { landedTable, notLanded, type Privacy, privacyOptions, withheld } from './privacy.ts';

const settings: fc.Arbitrary<Privacy> = fc.record({
  identifiers: fc.boolean(),
  patients: fc.boolean(),
  free_text: fc.boolean(),
  location: fc.boolean(),
});
const classes: readonly PrivacyClass[] = [
  'key',
  'measure',
  'identifier',
  'patient',
  'free_text',
  'location',
  'secret',
  'extra',
  'whole',
];

/** Returns a table with one column of each given class, and the `extra` column. */
function tableOf(some: readonly PrivacyClass[]): TableDeclaration {
  const column = (privacyClass: PrivacyClass, index: number): Column => ({
    name: `${privacyClass}_${index}`,
    type: 'string',
    nullable: true,
    class: privacyClass,
    doc: '',
    path: [],
  });
  const columns = [...some, 'extra' as const].map(column);
  return { name: 't', stream: 't', shape: 'event', doc: '', columns, key: [], order: [], cluster: [] };
}

const landedClasses = (table: TableDeclaration, privacy: Privacy) =>
  new Set(landedTable(table, privacy).columns.map((column) => column.class));

describe('privacy', () => {
  test('no identifiers are landed by default', () => {
    expect(privacyOptions.parse({})).toEqual({ identifiers: false, patients: false, free_text: true, location: true });
    expect(notLanded(privacyOptions.parse({}))).toEqual(['identifiers', 'identifiers of patients', 'secrets']);
  });

  test('each switch controls one class, keys and measures are always landed, and secrets and whole deliveries never are', () => {
    fc.assert(
      fc.property(fc.subarray([...classes]), settings, (some, privacy) => {
        const table = tableOf(some.filter((one) => one !== 'extra'));
        const landed = landedClasses(table, privacy);
        const allowed: Partial<Record<PrivacyClass, boolean>> = {
          key: true,
          measure: true,
          identifier: privacy.identifiers,
          patient: privacy.patients,
          free_text: privacy.free_text,
          location: privacy.location,
          secret: false,
          whole: false,
        };
        for (const [privacyClass, may] of Object.entries(allowed)) {
          expect(landed.has(privacyClass as PrivacyClass)).toBe(may && some.includes(privacyClass as PrivacyClass));
        }
        expect(landed.has('extra')).toBe(some.every((one) => allowed[one] ?? true));
      }),
    );
  });

  test('the reason for withholding a column names the setting or the class', () => {
    const privacy = { identifiers: true, patients: false, free_text: false, location: true };
    const table = tableOf(['identifier', 'patient', 'free_text', 'location', 'secret']);
    expect(table.columns.map((column) => withheld(table, column, privacy))).toEqual([
      undefined,
      'privacy.patients is off',
      'privacy.free_text is off',
      undefined,
      'secrets never are',
      'it may hold identifiers of patients or free text or secrets, which are not',
    ]);
  });

  test('even with the strictest settings, all key and order columns and the complete audit trail are landed', () => {
    const strictest = { identifiers: false, patients: false, free_text: false, location: false };
    expect(landedTable(deliveries, strictest)).toEqual(deliveries);
    // The audit trail copies these two columns from every record, so no setting may withhold them.
    const copied = tables.flatMap((table) => table.columns.filter(({ name }) => ['provider', 'resource'].includes(name)));
    expect(new Set(copied.map((column) => column.class))).toEqual(new Set(['key', 'measure']));
    for (const table of tables) {
      const landed = landedTable(table, strictest).columns.map(({ name }) => name);
      expect(landed, table.name).toEqual(
        expect.arrayContaining([...table.key, ...table.order].filter((name) => name !== '_day')),
      );
    }
  });
});
