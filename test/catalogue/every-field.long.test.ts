import { type EventStream, tables } from '@aorta/schemas';
import { beforeAll, expect, test } from 'vitest';
import { everyEvent } from './every-event.ts';
import { compare } from './expectation.ts';
import type { GeneratedEvent } from './generate.ts';
import { type Loaded, loaded, type Row } from './loaded.ts';

/**
 * Loads every event of the service and reads each field back with SQL. Each field must be in a typed or JSON column other than
 * `extra`, unless its privacy class is withheld. The events are generated from catalogue.json and the retired event formats, not
 * from our declarations.
 */

/** The rows and records of the loaded deliveries: `deliveries` by offset, `rows` and `records` by table and offset. */
interface Kept {
  readonly deliveries: ReadonlyMap<number, readonly Row[]>;
  readonly rows: ReadonlyMap<string, ReadonlyMap<number, readonly Row[]>>;
  readonly records: ReadonlyMap<string, ReadonlyMap<number, Leftover>>;
}

/** The part of a record that holds members without a column. */
interface Leftover {
  readonly extra?: string | null;
  readonly sample_extra?: readonly (string | null)[];
}

async function keptOf({ table, stream }: Loaded): Promise<Kept> {
  const rows = new Map<string, ReadonlyMap<number, readonly Row[]>>();
  const records = new Map<string, ReadonlyMap<number, Leftover>>();
  for (const declared of tables) {
    rows.set(declared.name, await table(declared.name));
    records.set(declared.name, await stream(declared.stream as EventStream));
  }
  return { deliveries: await table('deliveries'), rows, records };
}

/** Compares an event with its rows. Returns the problems, and the withheld members with their classes. */
function examine(event: GeneratedEvent, offset: number, kept: Kept): { problems: string[]; withheld: string[] } {
  const [delivery] = kept.deliveries.get(offset) ?? [];
  const declared = tables.find(({ stream }) => stream === delivery?.stream);
  if (declared === undefined)
    return { problems: [`in ${delivery?.stream}, ${delivery?.dead_letter_reason ?? 'whole'}`], withheld: [] };
  const { extra, sample_extra } = kept.records.get(declared.name)!.get(offset)!;
  const unknown = (name: string, text: string | null | undefined): string[] =>
    text === null || text === undefined ? [] : Object.keys(JSON.parse(text) as object).map((member) => `${name} has ${member}`);
  const { problems, withheld } = compare(event, declared, kept.rows.get(declared.name)!.get(offset) ?? []);
  const all = [...unknown('extra', extra), ...(sample_extra ?? []).flatMap((text) => unknown('sample_extra', text)), ...problems];
  return {
    problems: all.map((problem) => `${declared.name}: ${problem}`),
    withheld: [...withheld].map(([path, of]) => `${declared.name} ${path}: ${of}`),
  };
}

/** Formats each problem, and names up to three of the affected events. */
function summary(problems: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...problems].map(([problem, of]) => {
    const more = of.size > 3 ? ` and ${of.size - 3} more` : '';
    return `${problem}: ${[...of].slice(0, 3).join(', ')}${more}`;
  });
}

const problems = new Map<string, Set<string>>();
const withheld = new Set<string>();

beforeAll(async () => {
  const events = everyEvent();
  const lines = events.map(({ body }) => ({ headers: {}, body: JSON.stringify(body) }));
  await loaded(lines, async (result) => {
    expect(result.outcome.report.received).toBe(events.length);
    const kept = await keptOf(result);
    events.forEach((event, offset) => {
      const found = examine(event, offset, kept);
      for (const problem of found.problems)
        problems.set(problem, (problems.get(problem) ?? new Set()).add(`${event.facts.type} (${event.variant})`));
      for (const one of found.withheld) withheld.add(one);
    });
  });
});

test('SQL returns every field of every event as the service sent it', () => {
  expect(summary(problems)).toEqual([]);
});

test('the withheld fields and their classes equal the expected list', () => {
  expect([...withheld].sort()).toEqual([
    'connection_events $.data.external_user_id: identifier',
    'devices $.data.device_id: identifier',
    'lab_appointments $.data.address: patient',
    'lab_orders $.data.details.data.shipment.inbound_tracking_number: patient',
    'lab_orders $.data.details.data.shipment.inbound_tracking_url: patient',
    'lab_orders $.data.details.data.shipment.outbound_tracking_number: patient',
    'lab_orders $.data.details.data.shipment.outbound_tracking_url: patient',
    'lab_orders $.data.health_insurance_id: patient',
    'lab_orders $.data.patient_address: patient',
    'lab_orders $.data.patient_details: patient',
    'lab_orders $.data.physician: identifier',
    'lab_orders $.data.requisition_form_url: secret',
    'lab_orders $.data.shipping_details: patient',
    'lab_report_parsing_jobs $.data.data.metadata.dob: patient',
    'lab_report_parsing_jobs $.data.data.metadata.patient_first_name: patient',
    'lab_report_parsing_jobs $.data.data.metadata.patient_last_name: patient',
    'lab_report_parsing_jobs $.data.data.metadata.specimen_number: patient',
    'profile $.data.birth_date: identifier',
    'raw_events $.data: identifier',
  ]);
});
