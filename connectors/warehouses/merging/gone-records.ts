import type { Logger } from '@aorta/runtime';

/** Says that an upgrade has rewritten rows, and that their records did not come again: a newer version may be missing. */
export function warnOfGoneRecords(logger: Logger, table: string, rows: number): void {
  logger.warn('records of summaries without updated_at are gone from the stream: these rows may show a first version', {
    table,
    rows,
  });
}
