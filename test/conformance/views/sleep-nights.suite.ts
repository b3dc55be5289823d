import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asView } from '../../../connectors/warehouses/kept/kept-table.ts';
import { sleepNights } from '../../../connectors/warehouses/views/sleep-nights.ts';
import { type LoadedViews, type OpenViews, type Relation, type Row, rounded } from './loaded-views.ts';
import { offsetOf, sleepers, timeZones, zonesOf } from './people.fixture.ts';
import { nightCases } from './sleep-nights.cases.ts';
import { expectedNights } from './sleep-oracle.ts';
import { type Case, sessionCases } from './sleep-sessions.cases.ts';
import { type Session, sessionsOf } from './sleep-sessions.oracle.ts';
import { ranksWith, type Source } from './source-oracle.ts';

/** Compares the nights with an oracle in plain code, on both warehouses. */

const cases: readonly Case[] = [...sessionCases, ...nightCases];

const randomPeople = fc.sample(sleepers, { seed: 25, numRuns: 400 });

const caseUser = (index: number): string => `case-${index}`;
const randomUser = (index: number): string => `random-${String(index).padStart(3, '0')}`;

const relations: Relation[] = [
  {
    name: 'sleep',
    rows: [
      ...cases.flatMap(({ records }, index) =>
        records.map((record) => ({ ...record, id: `${caseUser(index)} ${record.id}`, user_id: caseUser(index) })),
      ),
      ...randomPeople.flatMap((records, index) =>
        records.map((record) => ({ ...record, id: `${randomUser(index)} ${record.id}`, user_id: randomUser(index) })),
      ),
    ],
  },
  ...timeZones([
    ...cases.flatMap(({ zones = [] }, index) =>
      zones.map(([from_at, to_at, zone]) => ({
        user_id: caseUser(index),
        from_at,
        to_at,
        basis: 'offset',
        ...(typeof zone === 'number' ? { offset_s: zone } : { time_zone: zone }),
      })),
    ),
    ...randomPeople.flatMap((_, index) => zonesOf(randomUser(index), index)),
  ]),
];

const rankOf = (source: Source): number => ranksWith({})('sleep', source);
const areTogether = (one: Session, other: Session): boolean =>
  one.from !== undefined && other.from !== undefined && one.from < other.to! && other.from < one.to!;

export function sleepNightsSuite(warehouse: string, open: OpenViews): void {
  describe(warehouse, () => {
    let loaded: LoadedViews;
    let nights: Map<string, Row[]>;
    beforeAll(async () => {
      loaded = await open(relations, (dialect) => [asView(sleepNights({}), dialect)]);
      const rows = await loaded.query('select * from {sleep_nights} order by user_id, night_date');
      nights = Map.groupBy(rows, ({ user_id }) => user_id as string);
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    test('the table describes every column in its order', async () => {
      const [row] = await loaded.query('select * from {sleep_nights} limit 1');
      expect(Object.keys(row!)).toEqual(sleepNights({}).columns.map(({ name }) => name));
    });

    test.each(cases.map((one, index) => [one.title, one, index] as const))('%s', (_title, one, index) => {
      const found = nights.get(caseUser(index)) ?? [];
      const shown = one.nights.map((night, at) =>
        Object.fromEntries(Object.keys(night).map((name) => [name, found[at]?.[name]])),
      );
      expect([found.length, ...shown]).toEqual([one.nights.length, ...one.nights]);
    });

    test('random people have nights, naps and records of each kind that the rules distinguish', () => {
      const found = [...nights].filter(([user]) => user.startsWith('random-')).flatMap(([, list]) => list);
      const kinds: Readonly<Record<string, (night: Row) => boolean>> = {
        long: ({ total_s }) => Number(total_s) >= 3 * 3600,
        short: ({ total_s }) => total_s !== null && Number(total_s) < 3 * 3600,
        'less than an hour': ({ total_s }) => total_s !== null && Number(total_s) < 3600,
        fragments: ({ fragments }) => Number(fragments) > 1,
        tentative: ({ state }) => state === 'tentative',
        'several sources': ({ others }) => Number(others) > 0,
        'partial sources': ({ partial_others }) => Number(partial_others) > 0,
        'a partial source of a better rank': (night) =>
          (night.other_sources as (Source & Row)[]).some(
            (one) => one.is_partial && rankOf(one) < rankOf(night as unknown as Source),
          ),
        'other sleeps': ({ other_sleeps }) => Number(other_sleeps) > 0,
        naps: ({ naps, source }) => Number(naps) > 0 && source !== null,
        'naps of several sources': ({ nap_sources }) => String(nap_sources).includes(','),
        'only naps': ({ source }) => source === null,
        'a main sleep at night and no long one': ({ local_start_at, total_s }) =>
          local_start_at !== null && Number(String(local_start_at).slice(11, 13)) < 8 && Number(total_s) < 3 * 3600,
      };
      for (const [kind, isSo] of Object.entries(kinds)) expect(found.filter(isSo).length, kind).toBeGreaterThan(20);
      const records = randomPeople.flat();
      expect(records.filter(({ sleep_type }) => sleep_type === 'acknowledged_nap').length).toBeGreaterThan(20);
      expect(records.filter(({ total_s }) => total_s === 0).length).toBeGreaterThan(20);
      expect(records.filter(({ state }) => state === 'tentative').length).toBeGreaterThan(20);
    });

    test('random people have overlapping records of different devices, also across the border of two nights', () => {
      const pairs = randomPeople.flatMap((records, index) => {
        const sleeps = sessionsOf(records, offsetOf(index)).filter(({ asleep }) => asleep >= 3 * 3600);
        return sleeps.flatMap((one) =>
          sleeps.filter((other) => one.provider < other.provider && areTogether(one, other)).map((other) => [one, other]),
        );
      });
      expect(pairs.length).toBeGreaterThan(20);
      expect(pairs.filter(([one, other]) => one!.date !== other!.date).length).toBeGreaterThan(20);
      const naps = [...nights.values()].flat().reduce((count, night) => count + Number(night.naps), 0);
      expect(naps).toBeGreaterThan(20);
    });

    test('the nights of random people equal those of the oracle, and each has the ids of one source', () => {
      for (const [index, person] of randomPeople.entries()) {
        const user = randomUser(index);
        const records = person.map((record) => ({ ...record, id: `${user} ${record.id}` }));
        const expected = expectedNights(records, offsetOf(index), user).map((night) => rounded({ ...night }));
        const found = nights.get(user) ?? [];
        const names = Object.keys(expected[0] ?? {});
        const shown = found.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
        expect({ user, records, nights: shown }).toEqual({ user, records, nights: expected });
        for (const { ids: list, source } of found) {
          const sources = records
            .filter(({ id }) => ((list as string[] | null) ?? []).includes(id))
            .map((one) => `${one.provider}/${one.source_type}`);
          expect(new Set([...sources, source])).toEqual(new Set([source]));
        }
      }
    });
  });
}
