import { z } from 'zod';

const billing = ['client_bill', 'commercial_insurance', 'patient_bill_passthrough', 'patient_bill'] as const;

/** The members that the forms of several labs share. */
const subAccount = {
  sub_account_id: z.string().nullish(),
  sub_account_name: z.string().nullish(),
  allowed_billing_types: z.array(z.enum(billing)).nullish(),
  disallowed_billing_states: z.partialRecord(z.enum(billing), z.array(z.string())).nullish(),
};
const anything = z.record(z.string(), z.unknown());

/** The further members of a credential, beside its id and secret, in the form of any provider or lab. */
export const detailsSchema = z
  .union([
    z.object({
      fitbit: z.object({
        is_hr_enabled: z.boolean().default(false),
        workout_verify_token: z.string(),
        sleep_verify_token: z.string(),
        body_verify_token: z.string(),
        foods_verify_token: z.string().nullish(),
      }),
    }),
    z.object({ redirect_uri: z.string(), data_scopes: z.array(z.string()) }),
    z.strictObject({ project_number: z.string(), service_account_email: z.string() }),
    z.object({ ...subAccount, bioreference: anything }),
    z.object({ ...subAccount, labcorp: z.object({ account_number: z.string(), billing_method: z.enum(['CM', 'PT', 'PI']) }) }),
    z.object({ ...subAccount, quest: anything, allowed_business_units: z.array(z.string()).nullish() }),
    z.object({ webhook_secret: z.string() }),
    z.object({ getlabs: z.object({ webhook_secret_key: z.string(), webhook_secret_token: z.string() }) }),
    z.object({
      phlebfinders: z.object({
        ...{ account_id: z.string(), account_name: z.string(), team_id: z.string(), team_name: z.string() },
        ...{ webhook_token: z.string(), email: z.string() },
      }),
    }),
    z.object({
      ...subAccount,
      ...{ sending_facility: z.string(), sending_application: z.string() },
      ...{ receiving_facility: z.string(), receiving_application: z.string() },
    }),
    z.object({ client: z.string() }),
  ])
  .meta({ id: 'CredentialDetails' });

export type CredentialDetails = z.output<typeof detailsSchema>;

const SECRET = /secret|token|password/i;
const HIDDEN = '***';

/** Returns details without their secrets, at any depth. */
export function withoutSecrets(details: CredentialDetails): CredentialDetails {
  return hidden(details) as CredentialDetails;
}

function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    SECRET.test(name) && member !== null ? HIDDEN : hidden(member),
  ]);
  return Object.fromEntries(members);
}
