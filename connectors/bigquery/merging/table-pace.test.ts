import { type TableDeclaration, tables } from '@aorta/schemas';
import { expect, test } from 'vitest';
import { TablePace } from './table-pace.ts';

const sleep: TableDeclaration = tables.find(({ name }) => name === 'sleep')!;
const PRICE = 5;

/** Returns the interval for a table of 10 GiB, a budget of 1 per day and a price of 5 per TiB. */
function everySeconds({ most_per_day, landings = 0 }: { most_per_day?: number; landings?: number }): number {
  const settings = { merge_every_s: 1, budget_per_day: 1, most_per_day, workers: 100 };
  const pace = new TablePace({ settings, tables: [sleep], pricePerTib: () => PRICE, landingsPerDay: () => landings });
  pace.weigh('sleep', 10 * 2 ** 30);
  return pace.everyMs(sleep) / 1000;
}

/** Minimum cost per table that a statement names: 10 MiB. */
const LEAST = ((10 * 2 ** 20) / 2 ** 40) * PRICE;
/** Returns the number of merges per day that an amount pays for. Each merge reads the table, and names three small tables. The note of
 * changed days names four more. */
const merges = (left: number): number => left / (1024 * LEAST + 7 * LEAST);

test('the budget pays for bookkeeping and landing tables first, so a table is merged less often', () => {
  // Each of 100 workers queries the spending once, and superseded positions are deleted once a day.
  expect(86_400 / everySeconds({})).toBeCloseTo(merges(1 - 101 * LEAST), 6);
  // If `most_per_day` is set, each worker queries the spending every ten minutes.
  expect(86_400 / everySeconds({ most_per_day: 9 })).toBeCloseTo(merges(1 - (101 + 14_400) * LEAST), 6);
  // Merges read 100 landing tables of each worker, and merge records are deleted 500 at a time.
  expect(86_400 / everySeconds({ landings: 100 })).toBeCloseTo(merges(1 - (101 + 10_000 + 20) * LEAST), 6);
  // At least a tenth of the budget is always left for merges.
  expect(86_400 / everySeconds({ landings: 10_000 })).toBeCloseTo(merges(0.1), 6);
});
