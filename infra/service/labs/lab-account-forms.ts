import { z } from 'zod';
import { labOf } from './catalogue.ts';
import { type LabAccount, labAccounts } from './lab-accounts.ts';
import { usStates } from './us-states.ts';

export const accountStatuses = ['active', 'pending', 'suspended', 'ready_to_launch'] as const;

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
  /** The teams of the organization that can use the account. */
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
    ...{ org_id, default_clinical_notes: null, business_units: null },
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
