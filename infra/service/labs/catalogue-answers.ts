import { z } from 'zod';
import type { Answer, AnswerForm } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import type { Marker } from './catalogue.ts';
import { markerWithResultsForm, markerWithResultsSchema } from './catalogue-forms.ts';
import { accountOf, type LabAccount } from './lab-accounts.ts';
import { markerPricing, markerPricingSchema } from './pricing.ts';

/* What several operations of the catalogue share. */

const unknown = (what: string): Answer => ({ status: 404, body: { detail: `${what} not found` } });
export const NO_ACCOUNT = unknown('Lab account');
export const NO_LAB_TEST = unknown('Lab test');
export const NO_MARKER = unknown('Marker');

/** The id of a lab account, or its number. */
const accountIdSchema = z.union([z.coerce.number().int().min(1), uuidSchema]);
export const accountParameter = accountIdSchema
  .optional()
  .describe('Id or number of a lab account. Default: everything that the labs offer.');

/**
 * Returns the account that a request names; undefined if it names none, and `unknown` if there is no such account. `isUsable` tells
 * whether the team may use an account. The service does not tell a team of others.
 */
export function namedAccount(
  id: string | number | null | undefined,
  isUsable: (account: string) => boolean,
): LabAccount | undefined | 'unknown' {
  if (id === undefined || id === null) return undefined;
  const account = accountOf(id);
  return account !== undefined && isUsable(account.id) ? account : 'unknown';
}

const countSchema = z.int().min(0);

export const markersPage: AnswerForm = {
  description: 'A page of markers.',
  schema: z.object({
    markers: z.array(markerWithResultsSchema),
    total: countSchema,
    page: countSchema,
    size: countSchema,
    pages: countSchema,
    pricing: markerPricingSchema.nullable(),
  }),
};

interface Page {
  readonly page: number;
  readonly size: number;
}

export function markersAnswer(all: readonly Marker[], { page, size }: Page, { isPriced = false } = {}): Answer {
  const some = all.slice((page - 1) * size, page * size);
  return {
    status: 200,
    body: {
      markers: some.map(markerWithResultsForm),
      ...{ total: all.length, page, size, pages: Math.ceil(all.length / size) },
      pricing: isPriced ? markerPricing(some) : null,
    },
  };
}
