import type { WarehouseReader } from '@aorta/connectors';
import type { Output } from '../printing/terminal.ts';
import { type Count, type Row, readBoard, type Wanted } from './board.ts';
import { type Standing, standings } from './standing.ts';

/**
 * Maximum number of pulls that one query may sort. Sorting more would take too much memory, so a larger board is read one
 * standing at a time.
 */
const SORTED_AT_MOST = 100_000;

/** Streams a JSON array with one pull per line. Returns the last printed pull, and whether there are further pulls. */
export async function printBoard(
  out: Output,
  pages: AsyncIterable<readonly Row[]>,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly last: Row | undefined; readonly more: boolean }> {
  let rows = 0;
  let more = false;
  let last: Row | undefined;
  for await (const page of pages) {
    const some = page.slice(0, Math.max(0, most - rows));
    if (some.length < page.length) more = true;
    if (some.length === 0) continue;
    await out.write(`${rows === 0 ? '[\n' : ',\n'}${some.map((row) => JSON.stringify(row)).join(',\n')}`);
    rows += some.length;
    last = some.at(-1);
  }
  await out.write(rows === 0 ? '[]\n' : '\n]\n');
  return { last, more };
}

/** Reads all pulls: in one sorted query if there are few, otherwise one standing at a time. */
export async function* readWhole(
  reader: WarehouseReader,
  wanted: Wanted,
  counts: readonly Count[],
): AsyncGenerator<readonly Row[]> {
  const of = (standing?: Standing): number =>
    counts.reduce((sum, one) => sum + (standing === undefined || one.standing === standing ? one.pulls : 0), 0);
  if (of() <= SORTED_AT_MOST) {
    yield* readBoard(reader, wanted);
    return;
  }
  for (const standing of standings) {
    if (of(standing) === 0) continue;
    yield* readBoard(reader, { ...wanted, only: [standing], ...(of(standing) > SORTED_AT_MOST ? { unsorted: true } : {}) });
  }
}
