import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { State } from '../state.ts';

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
        account_id: z.string(),
        account_name: z.string(),
        team_id: z.string(),
        team_name: z.string(),
        webhook_token: z.string(),
        email: z.string(),
      }),
    }),
    z.object({
      ...subAccount,
      sending_facility: z.string(),
      sending_application: z.string(),
      receiving_facility: z.string(),
      receiving_application: z.string(),
    }),
    z.object({ client: z.string() }),
  ])
  .meta({ id: 'CredentialDetails' });

type CredentialDetails = z.output<typeof detailsSchema>;

const SECRET = /secret|token|password/i;
const HIDDEN = '***';

/** Returns details without their secrets, at any depth. */
function withoutSecrets(details: CredentialDetails): CredentialDetails {
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

/** A team's own credential at a provider or a lab, without its secrets. Times are in milliseconds since 1970. */
export interface TeamCredential {
  readonly number: number;
  readonly credential_id: string;
  readonly team_id: string;
  readonly source: string;
  readonly client_id: string | null;
  /** SHA-256 in hexadecimal digits. */
  readonly client_secret_hash: string | null;
  readonly details: CredentialDetails | null;
  readonly redirect_url_override: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Null removes a member. An undefined member stays as it is. */
export interface CredentialChange {
  readonly client_id?: string | null | undefined;
  readonly client_secret?: string | null | undefined;
  readonly details?: CredentialDetails | null | undefined;
  readonly redirect_url_override?: string | null | undefined;
}

type Row = Omit<TeamCredential, 'client_secret_hash' | 'details'> & {
  readonly client_secret: string | null;
  readonly details: string | null;
};

/** The credentials that a search looks for. An undefined source stands for all. */
interface Wanted {
  readonly teams: readonly string[];
  readonly source?: string | undefined;
  /** Only credentials after the one with this number. */
  readonly after?: number;
}

/** The credentials of teams, one for each provider and lab. The database holds the secrets encrypted. */
export class TeamCredentials {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Sets the credential of a team at a provider. A new one lacks the members that are not given. */
  set(team: string, source: string, given: CredentialChange): TeamCredential {
    const { database, clock, draws } = this.#state;
    return database.transaction(() => {
      const before = this.of(team, source);
      const id = before?.credential_id ?? draws.uuid('team credential');
      const now = clock.now();
      if (before === undefined)
        database.run(
          'insert into team_credentials (credential_id, team_id, source, created_at, updated_at) values (?, ?, ?, ?, ?)',
          ...[id, team, source, now, now],
        );
      const { client_id, client_secret, details, redirect_url_override } = given;
      const columns = {
        client_id,
        client_secret: this.#sealed(client_secret, secretOf(id)),
        details: this.#sealed(details == null ? details : JSON.stringify(details), detailsOf(id)),
        redirect_url_override,
        updated_at: now,
      };
      for (const [column, value] of Object.entries(columns))
        if (value !== undefined) database.run(`update team_credentials set ${column} = ? where credential_id = ?`, value, id);
      return this.find(id)!;
    });
  }

  find(id: string): TeamCredential | undefined {
    return this.#complete(this.#state.database.get('select * from team_credentials where credential_id = ?', id));
  }

  of(team: string, source: string): TeamCredential | undefined {
    return this.list({ teams: [team], source }, 1)[0];
  }

  /** Returns the credentials of teams, the oldest first. */
  list({ teams, source = '', after = 0 }: Wanted, limit: number): TeamCredential[] {
    const rows = this.#state.database.all<Row>(
      `select * from team_credentials
       where team_id in (select value from json_each(?)) and number > ? and ? in (source, '') order by number limit ?`,
      ...[JSON.stringify(teams), after, source, limit],
    );
    return rows.map((row) => this.#complete(row)!);
  }

  delete(id: string): void {
    this.#state.database.run('delete from team_credentials where credential_id = ?', id);
  }

  #sealed(text: string | null | undefined, place: string): string | null | undefined {
    return text == null ? text : this.#state.secrets.seal(text, place);
  }

  #complete(row: Row | undefined): TeamCredential | undefined {
    if (row === undefined) return undefined;
    const { client_secret, details, ...rest } = row;
    const { secrets } = this.#state;
    const open = (sealed: string | null, place: string) => (sealed === null ? null : secrets.open(sealed, place));
    const [secret, known] = [open(client_secret, secretOf(row.credential_id)), open(details, detailsOf(row.credential_id))];
    return {
      ...rest,
      client_secret_hash: secret === null ? null : createHash('sha256').update(secret).digest('hex'),
      details: known === null ? null : withoutSecrets(JSON.parse(known) as CredentialDetails),
    };
  }
}

const secretOf = (id: string): string => `client secret ${id}`;
const detailsOf = (id: string): string => `credential details ${id}`;
