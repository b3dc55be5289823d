import type { Known, Person } from './person-days-oracle.ts';
import { expectedDays } from './person-days-oracle.ts';
import { dayOf } from './sample-days-oracle.ts';
import { nameOf } from './source-oracle.ts';

/** Computes the calendar of one user in plain code, from stored rows and the rules alone. */

const DAY_MS = 86_400_000;

/** The last receipt of anybody. A later one has a wrong time. */
export const LAST_RECEIPT = '2026-04-01T20:30:00Z';

const plus = (date: string, days: number): string => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

/** The local date of an instant; the date in UTC if the offset is unknown. */
function dateAt(instant: string, { offsetAt }: Known): string {
  const at = Date.parse(instant);
  return new Date(at + (offsetAt(at) ?? 0) * 1000).toISOString().slice(0, 10);
}

/** The sources with data, by local date. */
export function sourcesByDate(person: Person, { offsetAt }: Known): Map<string, Set<string>> {
  const dated = [
    ...[...person.samples, ...person.readings].map((row) => [dayOf(row, offsetAt).date, nameOf(row)] as const),
    ...[...person.activity, ...person.body, ...person.sleep, ...person.workouts].map(
      (row) => [row.calendar_date, nameOf(row)] as const,
    ),
  ];
  const found = new Map<string, Set<string>>();
  for (const [date, name] of dated) if (date !== null) found.set(date, (found.get(date) ?? new Set()).add(name));
  return found;
}

/** When each source was last received. */
function lastReceipts({ receipts }: Person): Map<string, string> {
  const counted = receipts.filter(({ counts }) => counts);
  return new Map(
    [...Map.groupBy(counted, nameOf)].map(([name, list]) => [
      name,
      list
        .map(({ received_at }) => received_at)
        .sort()
        .at(-1)!,
    ]),
  );
}

/** The rows of `source_days`. */
export function expectedSourceDays(person: Person, { offsetAt }: Known): Record<string, unknown>[] {
  const rows = [
    ...[...person.samples, ...person.readings].map((row) => ({ row, local_date: dayOf(row, offsetAt).date, samples: 1 })),
    ...[...person.activity, ...person.body, ...person.sleep, ...person.workouts].map((row) => ({
      row,
      local_date: row.calendar_date,
      samples: 0,
    })),
  ].filter(({ local_date }) => local_date !== null);
  return [...Map.groupBy(rows, ({ row, local_date }) => `${local_date} ${nameOf(row)}`).values()].map((list) => {
    const samples = list.filter((one) => one.samples === 1).length;
    const [{ row, local_date }] = list as [(typeof list)[number]];
    const { provider, source_type } = row;
    return { local_date, provider, source_type, source: nameOf(row), samples, summaries: list.length - samples };
  });
}

/** The rows of `person_sources`. */
export function expectedSources(person: Person, known: Known): Record<string, unknown>[] {
  const last = lastReceipts(person);
  return [...Map.groupBy(expectedSourceDays(person, known), ({ source }) => source as string)].map(([source, days]) => {
    const dates = days.map(({ local_date }) => local_date as string).sort();
    const received = last.get(source);
    const lastTrusted = received === undefined ? dates.at(-1)! : plus(dateAt(received, known), 1);
    return {
      source,
      first_date: dates[0],
      last_date: dates.filter((date) => date <= lastTrusted).at(-1) ?? null,
      days: dates.length,
      last_received_at: received ?? null,
      last_received_date: received === undefined ? null : dateAt(received, known),
    };
  });
}

/**
 * Whether the sources that were in use before a date have sent something after it. Each row of a table has a delivery, so a
 * source without one is not waited for, and a user without any has no complete day.
 */
export function completeness(person: Person, known: Known): (date: string) => boolean {
  const sources = sourcesByDate(person, known);
  const last = lastReceipts(person);
  return (date) => {
    const expected = [1, 2, 3, 4, 5, 6, 7].flatMap((days) => [...(sources.get(plus(date, -days)) ?? [])]);
    const over = (instant: string): boolean => dateAt(instant, known) > date;
    return person.receipts.length > 0 && over(LAST_RECEIPT) && expected.every((name) => over(last.get(name) ?? LAST_RECEIPT));
  };
}

const measuresOf = (day: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(day).flatMap(([name, value]) =>
    name.endsWith('_source') && value !== null ? [name.replace('_source', '')] : [],
  );

const list = (names: readonly string[]): string | null => (names.length === 0 ? null : [...names].sort().join(', '));

/** The rows of `person_calendar`. */
export function expectedCalendar(person: Person, known: Known): Record<string, unknown>[] {
  const sources = sourcesByDate(person, known);
  const dates = [...sources.keys()].sort();
  const inMonthOf = (date: string): number => dates.filter((one) => one.slice(0, 7) === date.slice(0, 7)).length;
  const first = dates.find((date) => sources.get(date)!.size >= 2 || inMonthOf(date) >= 3);
  if (first === undefined || person.receipts.length === 0) return [];
  const isComplete = completeness(person, known);
  const days = new Map(expectedDays(person, known).map((day) => [day.local_date as string, measuresOf(day)]));
  const rows: Record<string, unknown>[] = [];
  for (let date = first; date <= dateAt(LAST_RECEIPT, known); date = plus(date, 1)) {
    const there = days.get(date) ?? [];
    const before = [...days].flatMap(([one, measures]) => (one < date ? measures : []));
    rows.push({
      local_date: date,
      is_complete: isComplete(date),
      sources: list([...(sources.get(date) ?? [])]),
      measures: list(there),
      missing: list([...new Set(before)].filter((name) => !there.includes(name))),
    });
  }
  return rows;
}
