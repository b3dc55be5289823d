import type { State } from '../state.ts';
import { TeamCredentials } from './team-credentials.ts';

/** The settings of teams in the management API, apart from their environment. */
export class TeamPreferences {
  readonly credentials: TeamCredentials;

  constructor(state: State) {
    this.credentials = new TeamCredentials(state);
  }
}
