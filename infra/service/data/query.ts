import { z } from 'zod';
import { boundSchema } from '../api/query.ts';

const provider = z.string().optional().describe('Slug of a provider. Default: all.');

/** The query of operations that return data of a range of dates. The bounds become milliseconds since 1970. */
export const rangeQuery = z.object({
  start_date: boundSchema('00:00:00').meta({ description: 'First date or date-time of the range.', example: '2026-01-01' }),
  end_date: boundSchema('23:59:59.999').optional().describe('Last date or date-time of the range. Default: no end.'),
  provider,
});

export const providerQuery = z.object({ provider });

/** A later end of a range than any data has, in milliseconds since 1970. */
const NO_END = Date.parse('9999-12-31');

export const endOf = (end: number | undefined): number => end ?? NO_END;
