import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import type { Draws } from '../storage/draws.ts';
import type { Clock } from '../time/clock.ts';
import { type Environment, environmentSchema } from './environment.ts';
import type { Organizations } from './organizations.ts';
import { TeamKeys } from './team-keys.ts';

export const regions = ['us', 'eu'] as const;
type Region = (typeof regions)[number];

/** Forms of the source object. `old`: name, slug and logo. `current`: provider, type, app and device. `both`: all members. */
export const generations = ['old', 'both', 'current'] as const;
export type Generation = (typeof generations)[number];

export interface TeamSettings {
  /** Form of the source object in events and answers. */
  readonly generation: Generation;
  /** Largest body of an event, in bytes. Larger batches of samples are split. */
  readonly payload_limit: number;
  /** Whether the team gets events about partial results of orders. */
  readonly partial_webhooks_enabled: boolean;
}

export interface Team extends TeamSettings {
  readonly team_id: string;
  readonly org_id: string;
  readonly name: string;
  readonly region: Region;
  /** Date of the interface, such as 2025-05-08. Null: the present. */
  readonly as_of: string | null;
}

/** A team with what only the management API shows. */
export interface TeamRecord extends Team {
  readonly number: number;
  /** The organization's own id of the team. */
  readonly integration_team_id: string | null;
  /** Milliseconds since 1970. */
  readonly created_at: number;
  readonly environment: Environment;
}

type GivenSettings = { readonly [Key in keyof TeamSettings]?: TeamSettings[Key] | undefined };

export interface NewTeam extends GivenSettings {
  /** Default: a new id. */
  readonly team_id?: string | undefined;
  /** Default: the organization of teams that are created without one. */
  readonly org_id?: string | undefined;
  readonly region?: Region | undefined;
  /** Default: that of the organization. */
  readonly as_of?: string | undefined;
  readonly integration_team_id?: string | null | undefined;
  readonly environment?: Environment | undefined;
}

export interface TeamChange {
  readonly name: string;
  readonly integration_team_id: string | null;
  readonly environment: Environment;
}

type Row = Omit<Team, 'partial_webhooks_enabled'> & { readonly partial_webhooks_enabled: number | null };
type RecordRow = Row & Omit<TeamRecord, 'environment' | keyof Team> & { readonly environment: string };

const PAYLOAD_BYTES = 256 * 1024;
const columns = `team_id, org_id, name, region, as_of, generation, payload_limit,
  environment ->> 'partial_webhooks_enabled' as partial_webhooks_enabled`;
const allColumns = `${columns}, number, integration_team_id, created_at, environment`;

/** The operations in closed beta that teams may call. */
class Betas {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  has(team: string, operation: string): boolean {
    return this.#database.get('select 1 from team_betas where team_id = ? and operation = ?', team, operation) !== undefined;
  }

  /** Returns the ids of the operations that a team may call. */
  of(team: string): string[] {
    return this.#database
      .all<{ operation: string }>('select operation from team_betas where team_id = ? order by operation', team)
      .map(({ operation }) => operation);
  }

  set(team: string, operation: string, isEnabled: boolean): void {
    if (isEnabled) this.#database.run('insert or ignore into team_betas values (?, ?)', team, operation);
    else this.#database.run('delete from team_betas where team_id = ? and operation = ?', team, operation);
  }
}

/** The teams, and the keys with which they call the API. */
export class Teams {
  readonly keys: TeamKeys;
  readonly betas: Betas;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #draws: Draws;
  readonly #organizations: Organizations;

  constructor(state: State, organizations: Organizations) {
    this.keys = new TeamKeys(state);
    this.betas = new Betas(state.database);
    this.#database = state.database;
    this.#clock = state.clock;
    this.#draws = state.draws;
    this.#organizations = organizations;
  }

  /** Creates a team with a first key. Its ids and keys come from `draws`. */
  create(name: string, given: NewTeam = {}, draws: Draws = this.#draws): Team & { readonly api_key: string } {
    return this.#database.transaction(() => {
      const team = this.add(name, given, draws);
      return { ...team, api_key: this.addKey(team.team_id, draws) };
    });
  }

  /** Creates a team without a key. */
  add(name: string, given: NewTeam = {}, draws: Draws = this.#draws): Team {
    const { generation = 'both', payload_limit = PAYLOAD_BYTES, partial_webhooks_enabled = false } = given;
    const { org_id = this.#organizations.default().org_id, region = 'us', integration_team_id = null } = given;
    const as_of = given.as_of ?? this.#organizations.find(org_id)!.as_of;
    const environment = given.environment ?? environmentSchema.parse({ partial_webhooks_enabled });
    const team_id = given.team_id ?? draws.uuid('team');
    this.#database.run(
      `insert into teams (team_id, org_id, name, region, integration_team_id, created_at, generation, payload_limit, environment, as_of)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[team_id, org_id, name, region, integration_team_id, this.#clock.now(), generation, payload_limit],
      ...[JSON.stringify(environment), as_of],
    );
    return this.find(team_id)!;
  }

  find(team: string): Team | undefined {
    return teamOf(this.#database.get(`select ${columns} from teams where team_id = ?`, team));
  }

  /** Returns a team of an organization. */
  record(org: string, team: string): TeamRecord | undefined {
    const row = this.#database.get<RecordRow>(`select ${allColumns} from teams where org_id = ? and team_id = ?`, org, team);
    return row === undefined ? undefined : recordOf(row);
  }

  /** Returns all teams, the oldest first. */
  list(): Team[] {
    return this.#database.all<Row>(`select ${columns} from teams order by number`).map((row) => teamOf(row)!);
  }

  /** Returns the teams of an organization, the oldest first. */
  of(org: string): TeamRecord[] {
    return this.#database.all<RecordRow>(`select ${allColumns} from teams where org_id = ? order by number`, org).map(recordOf);
  }

  /** Returns the team with the organization's own id. */
  withIntegrationId(org: string, id: string): TeamRecord | undefined {
    return this.of(org).find(({ integration_team_id }) => integration_team_id === id);
  }

  /** Changes a team that exists. */
  change(team: string, { name, integration_team_id, environment }: TeamChange): void {
    this.#database.run(
      'update teams set name = ?, integration_team_id = ?, environment = ? where team_id = ?',
      ...[name, integration_team_id, JSON.stringify(environment), team],
    );
  }

  /**
   * Removes a team with its keys, users, endpoints, pipeline and all data. A management key of this team only is removed, too. Jobs
   * of what is gone do nothing.
   */
  delete(team: string): void {
    this.#database.transaction(() => {
      this.#database.run(
        'delete from deliveries where destination in (select endpoint_id from webhook_endpoints where team_id = ?)',
        team,
      );
      this.#database.run('delete from teams where team_id = ?', team);
      this.#database.run(
        "delete from management_keys where role = 'team_admin' and key_id not in (select key_id from management_key_teams)",
      );
    });
  }

  /** Creates a key of a team that exists. It is shown only now. Earlier keys stay valid. */
  addKey(team: string, draws: Draws = this.#draws): string {
    return this.keys.create(this.find(team)!, 'created through the control port', draws).key;
  }

  /** Returns the team of a key. */
  ofKey(key: string): Team | undefined {
    const team = this.keys.teamOf(key);
    return team === undefined ? undefined : this.find(team);
  }
}

function teamOf(row: Row | undefined): Team | undefined {
  return row === undefined ? undefined : { ...row, partial_webhooks_enabled: row.partial_webhooks_enabled === 1 };
}

const recordOf = (row: RecordRow): TeamRecord => ({
  ...row,
  partial_webhooks_enabled: row.partial_webhooks_enabled === 1,
  environment: environmentSchema.parse(JSON.parse(row.environment)),
});
