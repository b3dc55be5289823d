import { z } from 'zod';
import { dateSchema, FIRST_INSTANT, LAST_INSTANT } from './times.ts';

/* Forms of parameters that several operations share. A query parameter that occurs once is a list of one, see server.ts. */

/** A truth value, in the spellings that the real service accepts. */
export const flagSchema = z
  .stringbool({ truthy: ['true', '1', 'yes', 'on', 't', 'y'], falsy: ['false', '0', 'no', 'off', 'f', 'n'] })
  .meta({ type: 'boolean' });

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** A number in a path or a query, written in decimal digits. Other texts do not become a number, and `schema` refuses them. */
export const decimal = <Schema extends z.ZodType<number>>(schema: Schema) =>
  z.preprocess((text) => (typeof text === 'string' && DECIMAL.test(text) ? Number(text) : text), schema);

const MOST_ON_A_PAGE = 100;

/** Numbered pages. */
export const pageParameters = {
  page: decimal(z.int().min(1)).default(1),
  size: decimal(z.int().min(1).max(MOST_ON_A_PAGE)).default(50),
};

/** A bound of a range: a date with `time`, in UTC, or a date and time. It becomes milliseconds since 1970. */
export const boundSchema = (time: string) =>
  z
    .union([dateSchema, z.iso.datetime({ offset: true, local: true })], 'not a date or date-time')
    .transform((text) =>
      Date.parse(text.length === 10 ? `${text}T${time}Z` : /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`),
    )
    .refine((bound) => bound >= FIRST_INSTANT && bound <= LAST_INSTANT, 'not of the years 1 to 9999 in UTC');

/**
 * An id in a request: any UUID, because ids of scripted data may have no valid version. Letter case does not matter (RFC 9562,
 * section 4), so the id is in the form in which the service stores it: in lower case.
 */
export const uuidSchema = z.guid('Invalid UUID').toLowerCase();

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
