import type { Database } from '../storage/database.ts';

/** The permissions that users must or may grant to a team. */
export interface Requirement {
  readonly user_must_grant: readonly string[];
  readonly user_may_grant: readonly string[];
}

export interface ScopeRequirement extends Requirement {
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
