import type { Logger } from '@aorta/runtime';

/** Warns that an upgrade rewrote rows whose records are no longer in the streams. Newer versions of these rows may be missing. */
export function warnOfGoneRecords(logger: Logger, table: string, rows: number): void {
  logger.warn('records of summaries without updated_at are gone from the stream: these rows may show a first version', {
    table,
    rows,
  });
}
