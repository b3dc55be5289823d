import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peopleView } from '../../../connectors/warehouses/views/people.ts';
import type { LoadedViews, OpenViews, Relation, Row } from './loaded-views.ts';

/** One row per person, on both warehouses. */

const delivery = (user_id: string | null, received_at: string, client_user_id: string | null, offset: number): Row => ({
  user_id,
  received_at,
  client_user_id,
  source_offset: offset,
});

const relations: readonly Relation[] = [
  {
    name: 'users',
    rows: [
      { user_id: 'listed', client_user_id: 'customer-1' },
      { user_id: 'silent', client_user_id: 'customer-2' },
    ],
  },
  {
    name: 'deliveries',
    rows: [
      delivery('listed', '2026-03-01T10:00:00Z', 'older-name', 1),
      delivery('listed', '2026-03-03T10:00:00Z', null, 2),
      delivery('unlisted', '2026-03-02T10:00:00Z', 'newer', 3),
      delivery('unlisted', '2026-03-01T10:00:00Z', 'older', 4),
      delivery('nameless', '2026-03-01T10:00:00Z', null, 5),
      delivery(null, '2026-03-09T10:00:00Z', null, 6),
    ],
  },
  {
    name: 'user_time_zones',
    columns: { user_id: 'string', to_at: 'timestamp', time_zone: 'string', offset_s: 'int64' },
    rows: [
      { user_id: 'listed', to_at: '2026-02-01T00:00:00Z', time_zone: 'Europe/Paris' },
      { user_id: 'listed', to_at: null, time_zone: 'Europe/Berlin' },
      { user_id: 'unlisted', to_at: null, offset_s: 19_800 },
    ],
  },
  {
    name: 'person_sources',
    columns: { user_id: 'string', source: 'string', first_date: 'date', last_date: 'date' },
    rows: [
      { user_id: 'listed', source: 'oura/ring', first_date: '2026-02-05', last_date: '2026-03-01' },
      { user_id: 'listed', source: 'garmin/watch', first_date: '2026-01-05', last_date: '2026-02-01' },
    ],
  },
  {
    name: 'devices',
    rows: [
      { user_id: 'listed', id: 'd-1' },
      { user_id: 'listed', id: 'd-2' },
      { user_id: 'nameless', id: 'd-3' },
    ],
  },
  {
    name: 'historical_pull_board',
    columns: { user_id: 'string', standing: 'string' },
    rows: [
      ...['in_motion', 'retrying', 'stalled', 'complete', 'failed', 'unknown'].map((standing) => ({
        user_id: 'listed',
        standing,
      })),
      { user_id: 'silent', standing: 'not_pulled' },
    ],
  },
];

const nothing = {
  client_user_id: null,
  time_zone: null,
  timezone_offset_s: null,
  sources: null,
  first_date: null,
  last_date: null,
  last_received_at: null,
  devices: 0,
  open_pulls: 0,
};

export function peopleSuite(warehouse: string, open: OpenViews): void {
  describe(`people, on ${warehouse}`, () => {
    let loaded: LoadedViews;
    beforeAll(async () => {
      loaded = await open(relations, (dialect) => [peopleView(dialect)]);
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    test('each person has one row, with the listed id or else the newest one that was sent', async () => {
      expect(await loaded.query('select * from {people} order by user_id')).toEqual([
        {
          ...nothing,
          user_id: 'listed',
          client_user_id: 'customer-1',
          time_zone: 'Europe/Berlin',
          sources: 'garmin/watch, oura/ring',
          first_date: '2026-01-05',
          last_date: '2026-03-01',
          last_received_at: '2026-03-03T10:00:00.000Z',
          devices: 2,
          open_pulls: 3,
        },
        { ...nothing, user_id: 'nameless', last_received_at: '2026-03-01T10:00:00.000Z', devices: 1 },
        { ...nothing, user_id: 'silent', client_user_id: 'customer-2' },
        {
          ...nothing,
          user_id: 'unlisted',
          client_user_id: 'newer',
          timezone_offset_s: 19_800,
          last_received_at: '2026-03-02T10:00:00.000Z',
        },
      ]);
    });
  });
}
