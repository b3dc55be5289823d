import { z } from 'zod';
import type { Cursors } from '../api/cursor.ts';
import { problem } from '../api/errors.ts';
import { type Operation, operation } from '../api/operation.ts';
import { decimal, flagSchema, pageParameters } from '../api/parameters.ts';
import { labOf, laboratories, type Marker, markerByProviderId, markers } from './catalogue.ts';
import {
  accountParameter,
  labForm,
  labSchema,
  markerForm,
  markerSchema,
  markersAnswer,
  markersPage,
  NO_ACCOUNT,
  NO_MARKER,
  namedAccount,
} from './catalogue-forms.ts';
import { accountStatuses, labAccountForm, labAccountSchema, labAccounts, offersMarker } from './lab-accounts.ts';
import { labTestOperations, type TeamLabTests } from './lab-test-operations.ts';

const noAccount = problem('There is no such lab account.');

const markerFilters = z.object({
  lab_id: z.array(decimal(z.int())).optional().describe('Ids of labs.'),
  lab_slug: z.string().optional().describe('Slug of a lab. It wins over `lab_id`.'),
  name: z.string().default('').describe("Part of the name, or the lab's whole code. Letter case does not matter."),
  a_la_carte_enabled: flagSchema.optional(),
});

/** The operations on the catalogue of the labs. `sets` has the lab tests that the service made from orders. */
export function catalogueOperations(cursors: Cursors, sets: TeamLabTests): Operation[] {
  const { accounts } = sets;
  return [
    operation({
      id: 'list_markers',
      method: 'GET',
      path: '/v3/lab_tests/markers',
      tag: 'lab_tests',
      summary: 'Lists the markers that can be ordered.',
      query: markerFilters.extend({
        include_pricing: flagSchema.default(false),
        lab_account_id: accountParameter,
        ...pageParameters,
      }),
      answers: { 200: markersPage, 404: noAccount },
      handle: ({ team, query: { lab_account_id, include_pricing, page, size, ...filters } }) => {
        const account = namedAccount(lab_account_id, accounts.usableBy(team.team_id));
        if (account === 'unknown') return NO_ACCOUNT;
        const found = markers
          .filter((marker) => account === undefined || offersMarker(account, marker))
          .filter((marker) => marker.is_orderable && matches(marker, filters))
          .sort((a, b) => a.id - b.id);
        return markersAnswer(found, { page, size }, { isPriced: include_pricing });
      },
    }),
    operation({
      id: 'get_marker',
      method: 'GET',
      path: '/v3/lab_tests/{lab_id}/markers/{provider_id}',
      tag: 'lab_tests',
      summary: 'Returns a marker of a lab by the code of the lab.',
      params: z.object({ lab_id: decimal(z.int()), provider_id: z.string() }),
      query: z.object({ lab_account_id: accountParameter }),
      answers: {
        200: { description: 'The marker.', schema: markerSchema },
        404: problem('The lab has no such marker, or there is no such lab account.'),
      },
      handle: ({ team, params: { lab_id, provider_id }, query }) => {
        const account = namedAccount(query.lab_account_id, accounts.usableBy(team.team_id));
        if (account === 'unknown') return NO_ACCOUNT;
        const marker = markerByProviderId(lab_id, provider_id);
        if (marker === undefined || (account !== undefined && !offersMarker(account, marker))) return NO_MARKER;
        return { status: 200, body: markerForm(marker) };
      },
    }),
    operation({
      id: 'list_labs',
      method: 'GET',
      path: '/v3/lab_tests/labs',
      tag: 'lab_tests',
      summary: 'Lists the labs.',
      answers: { 200: { description: 'The labs.', schema: z.array(labSchema) } },
      handle: () => ({ status: 200, body: laboratories.map(labForm) }),
    }),
    operation({
      id: 'list_lab_accounts',
      method: 'GET',
      path: '/v3/lab_test/lab_account',
      tag: 'lab_tests',
      summary: 'Lists the lab accounts that the team can use.',
      query: z.object({ lab_account_id: accountParameter, status: z.enum(accountStatuses).optional() }),
      answers: {
        200: { description: 'The lab accounts.', schema: z.object({ data: z.array(labAccountSchema) }) },
        404: noAccount,
      },
      handle: ({ team, query: { lab_account_id, status } }) => {
        const account = namedAccount(lab_account_id, accounts.usableBy(team.team_id));
        if (account === 'unknown') return NO_ACCOUNT;
        const usable = (account === undefined ? labAccounts : [account]).filter(({ id }) => accounts.usableBy(team.team_id)(id));
        const forms = usable.map((one) => labAccountForm(one, { org_id: team.org_id, teams: [team.team_id] }));
        return { status: 200, body: { data: forms.filter((form) => status === undefined || form.status === status) } };
      },
    }),
    ...labTestOperations(cursors, sets),
  ];
}

function matches(marker: Marker, { lab_id, lab_slug, name, a_la_carte_enabled }: z.output<typeof markerFilters>): boolean {
  const part = name.toLowerCase();
  return (
    (lab_slug !== undefined ? labOf(marker.lab_id)!.slug === lab_slug : lab_id === undefined || lab_id.includes(marker.lab_id)) &&
    (marker.name.toLowerCase().includes(part) || marker.provider_id.toLowerCase() === part) &&
    (a_la_carte_enabled === undefined || marker.a_la_carte_enabled === a_la_carte_enabled)
  );
}
