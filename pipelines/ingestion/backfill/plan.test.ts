import { expect, test } from 'vitest';
import { createRouter } from '../router.ts';
import { objectsAt, objectsOf } from './object-counts.ts';
import { backfillResources, beginningOf, instantsOf, piecesOf, planBackfill } from './plan.ts';

test('the parts of a range are adjacent, and the last part ends where the range ends', () => {
  expect(piecesOf({ from: '2025-01-30', to: '2025-02-05' }, 3)).toEqual([
    { from: '2025-01-30', to: '2025-02-01' },
    { from: '2025-02-02', to: '2025-02-04' },
    { from: '2025-02-05', to: '2025-02-05' },
  ]);
  expect(piecesOf({ from: '2025-01-30', to: '2025-01-30' }, 30)).toEqual([{ from: '2025-01-30', to: '2025-01-30' }]);
});

test('the time range of a part covers its dates in every time zone, so adjacent time ranges overlap', () => {
  const [first, second] = piecesOf({ from: '2025-03-01', to: '2025-03-02' }, 1).map(instantsOf);
  expect(first).toEqual({ from: '2025-02-28T10:00:00.000Z', to: '2025-03-02T12:00:00.000Z' });
  expect(Date.parse(second!.from)).toBeLessThan(Date.parse(first!.to));
});

test.each(['2025-02-30', '2025-2-3', 'yesterday', ''])('%j is not a date', (text) => {
  expect(beginningOf(text)).toBeNaN();
});

test('a backfill requests every resource for the whole range, under the name that it has in API paths', () => {
  const steps = planBackfill({ from: '2025-01-01', to: '2026-02-04', days: 30 });
  const samples = steps.filter((step) => step.kind === 'samples');
  expect(new Set(samples.map(({ resource }) => resource)).size).toBe(50);
  expect(samples.find(({ resource }) => resource === 'fat')!.path).toBe('body_fat');
  expect(steps.filter(({ kind }) => kind === 'streams')).toHaveLength(14);
  expect(steps.filter((step) => step.kind === 'summaries' && step.resource === 'sleep')).toHaveLength(14);
  expect(planBackfill({ from: '2025-01-01', to: '2025-01-02', days: 30, resources: ['orders'] }).map(({ kind }) => kind)).toEqual(
    ['user', 'orders'],
  );
});

test('every date, including dates outside the range, belongs to exactly one part', () => {
  const steps = planBackfill({ from: '2025-01-01', to: '2025-03-01', days: 30, resources: ['steps', 'sleep'] });
  for (const kind of ['samples', 'summaries'])
    expect(steps.flatMap((step) => (step.kind === kind && 'own' in step ? [step.own] : []))).toEqual([
      { from: '', to: '2025-01-30' },
      { from: '2025-01-31', to: '9999-12-31' },
    ]);
});

test('objects are counted by provider if their date belongs to the part', () => {
  const own = { from: '2025-01-31', to: '2025-02-01' };
  const sample = (start: string) => ({ start });
  expect(
    objectsOf(
      {
        oura: [
          {
            source: {},
            data: [sample('2025-01-30T23:59:59Z'), sample('2025-01-31T00:00:00Z'), sample('2025-02-01T23:30:00-01:00')],
          },
          { source: { provider: 'fitbit' }, data: [{ timestamp: '2025-02-01T23:59:59+00:00' }, { timestamp: 'never' }] },
          'no group',
        ],
      },
      own,
    ),
  ).toEqual({ oura: 1, fitbit: 2 });
  const summary = (calendar_date: string | undefined, source: object) => ({ calendar_date, source });
  expect(
    objectsAt(
      [
        summary('2025-01-30', { provider: 'oura' }),
        summary('2025-01-31', { provider: 'oura' }),
        summary('2025-02-01T00:00:00Z', { slug: 'oura' }),
        summary(undefined, { slug: 'whoop' }),
        summary('2025-02-01', {}),
      ],
      own,
    ),
  ).toEqual({ oura: 2, whoop: 1 });
});

test('a backfilled event has the same route as an event that the service sends', () => {
  const route = createRouter();
  const typeOf = (name: string): string => (name === 'orders' ? 'labtest.order' : `daily.data.${name}`);
  for (const name of backfillResources) {
    const stream = route(`${typeOf(name)}.backfilled`);
    expect(stream, name).not.toBe('unrouted');
    expect(stream, name).toBe(route(`${typeOf(name)}.created`));
  }
});
