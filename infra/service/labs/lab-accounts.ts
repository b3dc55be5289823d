import { z } from 'zod';
import { labOf } from './catalogue.ts';
import type { LabTest } from './lab-tests.ts';
import { QUEST, USSL } from './laboratories.ts';
import type { Marker } from './markers.ts';

/** A contract with a lab, which decides what can be ordered. */
export interface LabAccount {
  readonly id: string;
  /** The lab's number of the account. Requests may have it in place of the id. */
  readonly number: number;
  readonly lab_id: number;
  readonly name: string;
  /** Ids of the markers of the lab that the account does not offer. */
  readonly lacks: ReadonlySet<number>;
}

export const labAccounts: readonly LabAccount[] = [
  { id: '5b0c8c1e-6d0f-4c55-9a53-0f6f3a7d1001', number: 1001, lab_id: QUEST, name: 'Quest, all markers', lacks: new Set() },
  { id: '5b0c8c1e-6d0f-4c55-9a53-0f6f3a7d1002', number: 1002, lab_id: USSL, name: 'USSL, all markers', lacks: new Set() },
  {
    id: '5b0c8c1e-6d0f-4c55-9a53-0f6f3a7d1003',
    number: 1003,
    lab_id: QUEST,
    name: 'Quest, without hormones and infections',
    lacks: new Set([338, 339, 340, 341, 342, 343, 344, 345, 346, 369, 370, 380, 381, 382, 383, 384, 385, 386]),
  },
];

/** Finds an account by its id or by its number. */
export function accountOf(id: string | number): LabAccount | undefined {
  return labAccounts.find((account) => account.id === id || account.number === id);
}

export function offersMarker({ lab_id, lacks }: LabAccount, marker: Marker): boolean {
  return marker.lab_id === lab_id && !lacks.has(marker.id);
}

/** An account offers a lab test if it offers all of its markers. */
export function offersLabTest(account: LabAccount, { markers }: LabTest): boolean {
  return markers.every((marker) => offersMarker(account, marker));
}

export const accountStatuses = ['active', 'pending', 'suspended', 'ready_to_launch'] as const;

const usStates = [
  'AL',
  'AK',
  'AZ',
  'AR',
  'CA',
  'CO',
  'CT',
  'DE',
  'FL',
  'GA',
  'HI',
  'ID',
  'IL',
  'IN',
  'IA',
  'KS',
  'KY',
  'LA',
  'ME',
  'MD',
  'MA',
  'MI',
  'MN',
  'MS',
  'MO',
  'MT',
  'NE',
  'NV',
  'NH',
  'NJ',
  'NM',
  'NY',
  'NC',
  'ND',
  'OH',
  'OK',
  'OR',
  'PA',
  'RI',
  'SC',
  'SD',
  'TN',
  'TX',
  'UT',
  'VT',
  'VA',
  'WA',
  'WV',
  'WI',
  'WY',
] as const;

const accountMembers = z.object({
  id: z.uuid(),
  lab: z.string().describe('Slug of the lab.'),
  org_id: z.uuid(),
  status: z.enum(accountStatuses),
  delegated_flow: z.enum(['order_delegated', 'result_delegated', 'fully_delegated', 'not_delegated']),
  provider_account_id: z.string().describe("The lab's number of the account."),
  account_name: z.string(),
  default_clinical_notes: z.null(),
  business_units: z.null(),
  allowed_billing: z.object({ client_bill: z.array(z.enum(usStates)), patient_bill: z.array(z.enum(usStates)) }),
  team_id_allowlist: z.array(z.uuid()),
});

/** States in which patients do not pay labs themselves. */
const withoutPatientBill: readonly string[] = ['NJ', 'NY', 'RI'];

interface Users {
  readonly org_id: string;
  /** The teams that can use the account, limited to those that the caller may see. */
  readonly teams: readonly string[];
}

/** Returns an account in the form of the API. */
export function labAccountForm(account: LabAccount, { org_id, teams }: Users): z.input<typeof accountMembers> {
  return {
    id: account.id,
    lab: labOf(account.lab_id)!.slug,
    status: 'active',
    delegated_flow: 'not_delegated',
    provider_account_id: String(account.number),
    account_name: account.name,
    org_id,
    default_clinical_notes: null,
    business_units: null,
    allowed_billing: {
      client_bill: [...usStates],
      patient_bill: usStates.filter((state) => !withoutPatientBill.includes(state)),
    },
    team_id_allowlist: [...teams],
  };
}

const exampleUsers = {
  org_id: '7a1e2b3c-0000-4000-8000-000000000002',
  teams: ['7a1e2b3c-0000-4000-8000-000000000001'],
};

export const labAccountSchema = accountMembers.meta({
  id: 'LabAccount',
  examples: [labAccountForm(labAccounts[0]!, exampleUsers)],
});
