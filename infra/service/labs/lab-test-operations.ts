import { z } from 'zod';
import type { Cursors } from '../api/cursor.ts';
import { problem } from '../api/errors.ts';
import { type Operation, operation } from '../api/operation.ts';
import { decimal, flagSchema, pageParameters, uuidSchema } from '../api/parameters.ts';
import type { LabAccountTeams } from '../teams/team-preferences.ts';
import { type LabTest, labOf, labTests, markersOf, reflexesOf } from './catalogue.ts';
import {
  accountParameter,
  labTestForm,
  labTestPricing,
  labTestPricingSchema,
  labTestSchema,
  markersAnswer,
  markersPage,
  NO_ACCOUNT,
  NO_LAB_TEST,
  namedAccount,
} from './catalogue-forms.ts';
import { type LabAccount, offersLabTest, offersMarker } from './lab-accounts.ts';
import { labTestStatuses } from './lab-tests.ts';
import { collectionMethods } from './laboratories.ts';
import { orderSetOf, orderSetSchema } from './order-set.ts';

/** The lab tests and lab accounts of each team. */
export interface TeamLabTests {
  readonly accounts: Pick<LabAccountTeams, 'usableBy'>;
  /** Returns those that the service made from orders. */
  generated(team: string): readonly LabTest[];
  /** Finds a lab test of the catalogue, or one that the service made for the team. */
  find(team: string, id: string): LabTest | undefined;
}

const labTestParams = z.object({ lab_test_id: uuidSchema });
const noLabTest = problem('There is no such lab test, or no such lab account.');

const orderKeys = ['price', 'created_at', 'updated_at'] as const;

/** The filters and the order of lists of lab tests. */
const labTestFilters = z.object({
  generation_method: z
    .enum(['manual', 'auto', 'all'])
    .default('manual')
    .describe('Whether the list has the lab tests of the catalogue, those that the service made from orders, or both.'),
  lab_slug: z.string().optional(),
  collection_method: z.enum(collectionMethods).optional(),
  status: z.enum(labTestStatuses).optional(),
  marker_ids: z.array(decimal(z.int())).optional().describe('Markers that a lab test must have, all of them.'),
  provider_ids: z.array(z.string()).optional().describe("Lab's codes of markers that a lab test must have, all of them."),
  name: z.string().optional().describe('Part of the name. Letter case does not matter.'),
  order_key: z.enum(orderKeys).default('created_at'),
  order_direction: z.enum(['asc', 'desc']).default('asc'),
});

type Filters = z.output<typeof labTestFilters>;

/** Returns the lab tests that match, in their order. Those with equal keys are in the order of their ids. */
function listed(all: readonly LabTest[], filters: Filters): LabTest[] {
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

const labTestCursor = (cursors: Cursors) => cursors.schema<Position>(SCOPE, z.tuple([z.number(), z.string()]));

/** Returns the lab tests after a position, and the cursor of the next page. The last page has none. */
function pageOf(
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

/** The operations on lab tests. */
export function labTestOperations(cursors: Cursors, sets: TeamLabTests): Operation[] {
  const { accounts } = sets;
  const allOf = (teamId: string): readonly LabTest[] => [...labTests, ...sets.generated(teamId)];

  /** Finds a lab test that an account offers, if there is an account. */
  function offered(teamId: string, id: string, account: LabAccount | undefined): LabTest | undefined {
    const test = sets.find(teamId, id);
    return test === undefined || (account !== undefined && !offersLabTest(account, test)) ? undefined : test;
  }

  return [
    operation({
      id: 'list_lab_tests',
      method: 'GET',
      path: '/v3/lab_test',
      tag: 'lab_tests',
      summary: 'Lists lab tests.',
      query: labTestFilters.extend({
        lab_test_limit: decimal(z.int().min(1)).default(50).describe('Most lab tests of a page.'),
        next_cursor: labTestCursor(cursors).optional().describe('Cursor of the page before. Default: the first page.'),
        include_pricing: flagSchema.default(false),
        lab_account_id: accountParameter,
      }),
      answers: {
        200: {
          description: 'A page of lab tests.',
          schema: z.object({
            data: z.array(labTestSchema),
            next_cursor: z.string().nullable(),
            pricing: labTestPricingSchema.nullable(),
          }),
        },
        404: problem('There is no such lab account.'),
      },
      handle: ({ team, query: { lab_test_limit, next_cursor, include_pricing, lab_account_id, ...filters } }) => {
        const account = namedAccount(lab_account_id, accounts.usableBy(team.team_id));
        if (account === 'unknown') return NO_ACCOUNT;
        const all = allOf(team.team_id).filter((test) => account === undefined || offersLabTest(account, test));
        const { page, next } = pageOf(cursors, listed(all, filters), { after: next_cursor, limit: lab_test_limit, filters });
        return {
          status: 200,
          body: { data: page.map(labTestForm), next_cursor: next, pricing: include_pricing ? labTestPricing(page) : null },
        };
      },
    }),
    operation({
      id: 'list_all_lab_tests',
      method: 'GET',
      path: '/v3/lab_tests',
      tag: 'lab_tests',
      summary: 'Lists all lab tests at once.',
      query: labTestFilters,
      answers: { 200: { description: 'The lab tests.', schema: z.array(labTestSchema) } },
      deprecated: { since: '2025-10-01', until: '2026-10-01', instead: 'GET /v3/lab_test' },
      handle: ({ team, query }) => ({ status: 200, body: listed(allOf(team.team_id), query).map(labTestForm) }),
    }),
    operation({
      id: 'get_lab_test',
      method: 'GET',
      path: '/v3/lab_tests/{lab_test_id}',
      tag: 'lab_tests',
      summary: 'Returns a lab test.',
      params: labTestParams,
      query: z.object({ lab_account_id: accountParameter }),
      answers: { 200: { description: 'The lab test.', schema: labTestSchema }, 404: noLabTest },
      handle: ({ team, params: { lab_test_id }, query }) => {
        const account = namedAccount(query.lab_account_id, accounts.usableBy(team.team_id));
        if (account === 'unknown') return NO_ACCOUNT;
        const test = offered(team.team_id, lab_test_id, account);
        return test === undefined ? NO_LAB_TEST : { status: 200, body: labTestForm(test) };
      },
    }),
    operation({
      id: 'list_markers_of_lab_test',
      method: 'GET',
      path: '/v3/lab_tests/{lab_test_id}/markers',
      tag: 'lab_tests',
      summary: 'Lists the markers of a lab test, and then those that the lab adds if results are abnormal.',
      params: labTestParams,
      query: z.object({ lab_account_id: accountParameter, ...pageParameters }),
      answers: { 200: markersPage, 404: noLabTest },
      handle: ({ team, params: { lab_test_id }, query: { lab_account_id, ...page } }) => {
        const account = namedAccount(lab_account_id, accounts.usableBy(team.team_id));
        if (account === 'unknown') return NO_ACCOUNT;
        const test = offered(team.team_id, lab_test_id, account);
        if (test === undefined) return NO_LAB_TEST;
        const reflexes = reflexesOf(test).filter((marker) => account === undefined || offersMarker(account, marker));
        return markersAnswer([...test.markers, ...reflexes], page);
      },
    }),
    operation({
      id: 'list_markers_of_order_set',
      method: 'POST',
      path: '/v3/lab_tests/list_order_set_markers',
      tag: 'lab_tests',
      summary: 'Lists the markers that an order with these lab tests and additional markers would have.',
      query: z.object(pageParameters),
      body: orderSetSchema,
      answers: {
        200: markersPage,
        400: problem('The parts of the order set cannot be ordered together.'),
        404: problem('There is no such lab test, marker or lab account.'),
      },
      handle: ({ team, query, body }) => {
        const set = orderSetOf(body, {
          labTestOf: (id) => sets.find(team.team_id, id),
          isUsable: accounts.usableBy(team.team_id),
        });
        return 'status' in set ? set : markersAnswer(markersOf(set.tests, set.addOn), query);
      },
    }),
  ];
}
