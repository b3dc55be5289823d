import { z } from 'zod';

/** Forms of query parameters that several operations share. A parameter that occurs once is a list of one, see server.ts. */

/** A truth value, in the spellings that the real service accepts. */
export const flagSchema = z
  .stringbool({ truthy: ['true', '1', 'yes', 'on', 't', 'y'], falsy: ['false', '0', 'no', 'off', 'f', 'n'] })
  .meta({ type: 'boolean' });

const MOST_ON_A_PAGE = 100;

/** Numbered pages. */
export const pageParameters = {
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(MOST_ON_A_PAGE).default(50),
};

/** A bound of a range: a date with `time`, in UTC, or a date and time. It becomes milliseconds since 1970. */
export const boundSchema = (time: string) =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], 'not a date or date-time')
    .transform((text) =>
      Date.parse(text.length === 10 ? `${text}T${time}Z` : /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`),
    );
