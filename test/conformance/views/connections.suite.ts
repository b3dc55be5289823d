import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectionsView } from '../../../connectors/warehouses/views/connections.ts';
import type { LoadedViews, OpenViews, Row } from './loaded-views.ts';

/** Times and states of connections that break, come back, or change. */

const event = (user_id: string, _offset: number, type: string, _received_at: string): Row => ({
  user_id,
  provider: 'oura',
  event_type: `provider.connection.${type}`,
  _origin: 1,
  _offset,
  _received_at,
  _source: 'hub',
  error_type: type === 'error' ? 'token_refresh_failed' : null,
});

const events: readonly Row[] = [
  event('stays', 1, 'created', '2026-03-01T08:00:00Z'),
  event('breaks', 2, 'created', '2026-03-01T08:00:00Z'),
  event('breaks', 3, 'error', '2026-03-05T08:00:00Z'),
  event('comes-back', 4, 'created', '2026-03-01T08:00:00Z'),
  event('comes-back', 5, 'error', '2026-03-05T08:00:00Z'),
  event('comes-back', 6, 'created', '2026-03-09T08:00:00Z'),
  event('connects-again', 7, 'created', '2026-03-01T08:00:00Z'),
  event('connects-again', 8, 'created', '2026-03-09T08:00:00Z'),
  event('was-connected-before', 9, 'error', '2026-03-05T08:00:00Z'),
  event('was-connected-before', 10, 'created', '2026-03-09T08:00:00Z'),
  event('only-error', 11, 'error', '2026-03-05T08:00:00Z'),
  event('is-updated', 12, 'created', '2026-03-01T08:00:00Z'),
  event('is-updated', 13, 'updated', '2026-03-07T08:00:00Z'),
];

export function connectionsSuite(warehouse: string, open: OpenViews): void {
  describe(warehouse, () => {
    let views: LoadedViews;
    beforeAll(async () => {
      views = await open([{ name: 'connection_events', rows: events }], (dialect) => [connectionsView(dialect)]);
    });
    afterAll(() => views[Symbol.asyncDispose]());

    test('a connection keeps the time of its first event, and every later event is a change', async () => {
      const rows = await views.query(
        'select user_id, status, connected_at, changed_at, error_type, errors from {connections} order by connected_at, user_id',
      );
      const day = (number: number): string => `2026-03-0${number}T08:00:00.000Z`;
      const expected: Readonly<Record<string, readonly unknown[]>> = {
        'only-error': ['error', null, day(5), 'token_refresh_failed', 1],
        'was-connected-before': ['connected', day(9), day(9), 'token_refresh_failed', 1],
        breaks: ['error', day(1), day(5), 'token_refresh_failed', 1],
        'comes-back': ['connected', day(1), day(9), 'token_refresh_failed', 1],
        'connects-again': ['connected', day(1), day(9), null, 0],
        'is-updated': ['connected', day(1), day(7), null, 0],
        stays: ['connected', day(1), day(1), null, 0],
      };
      expect(Object.fromEntries(rows.map(({ user_id, ...row }) => [user_id, Object.values(row)]))).toEqual(expected);
    });
  });
}
