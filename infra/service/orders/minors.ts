import type { Answer } from '../api/operation.ts';
import { ageOn, dateText } from '../api/times.ts';
import type { State } from '../state.ts';
import type { Team, Teams } from '../teams/teams.ts';
import { refuse } from './order-answers.ts';

const ADULT = 18;

/** Refuses orders for minors, unless the team has enabled them. */
export class Minors {
  readonly #state: State;
  readonly #teams: Teams;

  constructor(state: State, teams: Teams) {
    this.#state = state;
    this.#teams = teams;
  }

  /** Returns the answer that refuses an order. `dob` is the birth date of its patient. Days begin in UTC. */
  refusalOf({ org_id, team_id }: Team, { dob }: { readonly dob: string }): Answer | undefined {
    if (ageOn(dateText(this.#state.clock.now()), dob) >= ADULT) return undefined;
    if (this.#teams.record(org_id, team_id)!.environment.minor_ordering_enabled === true) return undefined;
    return refuse(`The patient is younger than ${ADULT}. The team has not enabled minor_ordering_enabled`);
  }
}
