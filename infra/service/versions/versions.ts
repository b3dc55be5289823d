import type { Database } from '../storage/database.ts';
import type { Clock } from '../time/clock.ts';
import { type Change, hasCome } from './changes.ts';

/**
 * The date of the interface that each team and organization sees. It is the present of the virtual clock, unless another date was
 * set when the team or the organization was created.
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

  /** Returns a date that was set, or the present, in milliseconds since 1970. */
  at(as_of: string | null, now = this.#clock.now()): number {
    return as_of === null ? now : Date.parse(as_of);
  }

  #of(query: string, id: string, now?: number): number {
    return this.at(this.#database.get<{ as_of: string | null }>(query, id)?.as_of ?? null, now);
  }
}
