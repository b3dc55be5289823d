import type { State } from '../state.ts';
import type { Database } from '../storage/database.ts';
import { PullPreferences } from './pull-preferences.ts';
import { TeamCredentials } from './team-credentials.ts';
import type { Team } from './teams.ts';

/** The permissions that users must or may grant to a team. */
interface Requirement {
  readonly user_must_grant: readonly string[];
  readonly user_may_grant: readonly string[];
}

interface ScopeRequirement extends Requirement {
  readonly team_id: string;
  readonly provider: string;
}

interface Row {
  readonly team_id: string;
  readonly provider: string;
  readonly requirement: string;
}

/** The scope requirements that teams have set. */
export class ScopeRequirements {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the requirement of a team for a provider. */
  set(team: string, provider: string, requirement: Requirement): void {
    this.#database.run('insert or replace into scope_requirements values (?, ?, ?)', team, provider, JSON.stringify(requirement));
  }

  /** Returns the requirements of a team, or that for one provider. */
  of(team: string, provider?: string): ScopeRequirement[] {
    const rows = this.#database.all<Row>(
      'select * from scope_requirements where team_id = ?1 and (?2 is null or provider = ?2) order by provider',
      ...[team, provider ?? null],
    );
    return rows.map(({ requirement, ...rest }) => ({ ...(JSON.parse(requirement) as Requirement), ...rest }));
  }
}

/** The teams of an organization in a region. */
type Group = Pick<Team, 'org_id' | 'region'>;

const groupTeams = 'select team_id from teams where org_id = ? and region = ?';

/** The teams that may use each lab account: all of them until the organization sets a list. */
export class LabAccountTeams {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the list of an account. The teams belong to the group. Other groups have lists of their own. */
  allow({ org_id, region }: Group, account: string, teams: readonly string[]): void {
    this.#database.transaction(() => {
      const key = [org_id, region, account];
      this.#database.run('insert into lab_account_lists values (?, ?, ?) on conflict do nothing', ...key);
      this.#database.run(
        `delete from lab_account_teams where account_id = ? and team_id in (${groupTeams})`,
        ...[account, org_id, region],
      );
      for (const team of new Set(teams)) this.#database.run('insert into lab_account_teams values (?, ?)', account, team);
    });
  }

  /** Returns the teams that may use an account, the oldest first. */
  of({ org_id, region }: Group, account: string): string[] {
    const usable = this.#database.all<{ team_id: string }>(`${groupTeams} order by number`, org_id, region);
    return usable.map(({ team_id }) => team_id).filter((team) => this.usableBy(team)(account));
  }

  /** Returns a function that tells whether a team may use an account. */
  usableBy(team: string): (account: string) => boolean {
    return (account) =>
      this.#database.get(
        `select 1 from teams join lab_account_lists using (org_id, region) where team_id = ?1 and account_id = ?2
         and not exists (select 1 from lab_account_teams where team_id = ?1 and account_id = ?2)`,
        ...[team, account],
      ) === undefined;
  }
}

/** The settings of teams in the management API, apart from their environment. */
export class TeamPreferences {
  readonly credentials: TeamCredentials;
  readonly pulls: PullPreferences;
  readonly labAccounts: LabAccountTeams;
  readonly scopes: ScopeRequirements;

  constructor(state: State) {
    this.credentials = new TeamCredentials(state);
    this.pulls = new PullPreferences(state.database);
    this.labAccounts = new LabAccountTeams(state.database);
    this.scopes = new ScopeRequirements(state.database);
  }
}
