import type { Database } from '../storage/database.ts';
import type { Clock } from '../time/clock.ts';
import { type Change, hasCome } from './changes.ts';

/**
 * The date of the interface that each team and organization uses. Default: the present of the virtual clock. Another date can be
 * set when the team or the organization is created.
 */
export class Versions {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Returns the date of a team, in milliseconds since 1970. `now` is when the team acts. Default: the present. */
  ofTeam(team: string, now?: number): number {
    return this.#of('select as_of from teams where team_id = ?', team, now);
  }

  /** Returns the date of an organization, in milliseconds since 1970. */
  ofOrganization(organization: string): number {
    return this.#of('select as_of from organizations where org_id = ?', organization);
  }

  /** Returns whether a change has come for a team. `now` is when the team acts. Default: the present. */
  has(change: Change, team: string, now?: number): boolean {
    return hasCome(change, this.ofTeam(team, now));
  }

  /** Returns the given date, or the present if there is none, in milliseconds since 1970. */
  at(as_of: string | null, now = this.#clock.now()): number {
    return as_of === null ? now : Date.parse(as_of);
  }

  #of(query: string, id: string, now?: number): number {
    return this.at(this.#database.get<{ as_of: string | null }>(query, id)?.as_of ?? null, now);
  }
}
