import type { Database } from '../storage/database.ts';

/** The operations in closed beta that teams may call. */
export class Betas {
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
