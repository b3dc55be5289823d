import { z } from 'zod';
import type { Cursors } from '../api/cursor.ts';
import { type LabTest, labOf } from './catalogue.ts';
import { collectionMethods } from './collection-method.ts';
import { labTestStatuses } from './lab-tests.ts';

const orderKeys = ['price', 'created_at', 'updated_at'] as const;

/** The filters and the order of lists of lab tests. */
export const labTestFilters = z.object({
  generation_method: z
    .enum(['manual', 'auto', 'all'])
    .default('manual')
    .describe('Whether the list has the lab tests of the catalogue, those that the service made from orders, or both.'),
  lab_slug: z.string().optional(),
  collection_method: z.enum(collectionMethods).optional(),
  status: z.enum(labTestStatuses).optional(),
  marker_ids: z.array(z.coerce.number().int()).optional().describe('Markers that a lab test must have, all of them.'),
  provider_ids: z.array(z.string()).optional().describe("Lab's codes of markers that a lab test must have, all of them."),
  name: z.string().optional().describe('Part of the name. Letter case does not matter.'),
  order_key: z.enum(orderKeys).default('created_at'),
  order_direction: z.enum(['asc', 'desc']).default('asc'),
});

type Filters = z.output<typeof labTestFilters>;

/** Returns the lab tests that match, in their order. Those with equal keys are in the order of their ids. */
export function listed(all: readonly LabTest[], filters: Filters): LabTest[] {
  return all.filter((test) => matches(test, filters)).sort(comparison(filters));
}

function matches({ lab_id, method, status, auto_generated, markers, name }: LabTest, filters: Filters): boolean {
  const { generation_method: generation, lab_slug, collection_method, marker_ids = [], provider_ids = [] } = filters;
  return (
    (generation === 'all' || auto_generated === (generation === 'auto')) &&
    (lab_slug === undefined || labOf(lab_id)!.slug === lab_slug) &&
    (collection_method === undefined || method === collection_method) &&
    (filters.status === undefined || status === filters.status) &&
    marker_ids.every((id) => markers.some((marker) => marker.id === id)) &&
    provider_ids.every((code) => markers.some(({ provider_id }) => provider_id === code)) &&
    name.toLowerCase().includes((filters.name ?? '').toLowerCase())
  );
}

type Keyed = Pick<LabTest, 'id' | (typeof orderKeys)[number]>;

function comparison({ order_key: key, order_direction }: Filters): (a: Keyed, b: Keyed) => number {
  const sign = order_direction === 'asc' ? 1 : -1;
  return (a, b) => sign * (a[key] - b[key]) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** The key and the id of the last lab test of a page. */
type Position = [key: number, id: string];
/** The scope of the cursors. */
const SCOPE = 'lab tests';

export const labTestCursor = (cursors: Cursors) => cursors.schema<Position>(SCOPE, z.tuple([z.number(), z.string()]));

/** Returns the lab tests after a position, and the cursor of the next page. The last page has none. */
export function pageOf(
  cursors: Cursors,
  list: readonly LabTest[],
  { after, limit, filters }: { readonly after: Position | undefined; readonly limit: number; readonly filters: Filters },
): { readonly page: readonly LabTest[]; readonly next: string | null } {
  const compare = comparison(filters);
  const [key, id] = after ?? [];
  const rest =
    key === undefined || id === undefined
      ? list
      : list.filter((test) => compare(test, { id, price: key, created_at: key, updated_at: key }) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const next = rest.length > limit && last !== undefined ? cursors.of(SCOPE, [last[filters.order_key], last.id]) : null;
  return { page, next };
}
