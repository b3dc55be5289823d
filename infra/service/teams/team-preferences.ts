import type { State } from '../state.ts';
import { LabAccountTeams } from './lab-account-teams.ts';
import { PullPreferences } from './pull-preferences.ts';
import { ScopeRequirements } from './scope-requirements.ts';
import { TeamCredentials } from './team-credentials.ts';

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
