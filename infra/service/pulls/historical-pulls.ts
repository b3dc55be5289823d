import { availableResources, type Connection } from '../connections/connection.ts';
import { providerOf } from '../connections/provider-catalogue.ts';
import type { State } from '../state.ts';
import type { User } from '../users/user.ts';
import { announce } from './announcement.ts';
import { hasHistory, rangeOf } from './chunks.ts';
import { daysOf } from './history-days.ts';
import { startPause } from './pauses.ts';
import { isOpen } from './pull.ts';
import { type PullParts, PullSteps } from './pull-steps.ts';
import { PullStore } from './pull-store.ts';
import { PullScripts } from './scripts.ts';

/** The historical pulls of all users. Each pull imports what a provider has of one resource from before the connection. */
export class HistoricalPulls {
  readonly store: PullStore;
  readonly scripts: PullScripts;
  readonly #state: State;
  readonly #parts: PullParts;
  readonly #steps: PullSteps;
  /** Called after every change of a pull. */
  readonly #watchers = new Set<() => void>();

  constructor(state: State, parts: PullParts) {
    this.store = new PullStore(state.database);
    this.scripts = new PullScripts(state.database);
    this.#state = state;
    this.#parts = parts;
    const { jobs } = state;
    const { store, scripts } = this;
    this.#steps = new PullSteps({ ...parts, jobs, store, scripts, changed: () => this.#changed() });
  }

  /** Plans the pulls of a connection that the user has made, or made again. Garmin pulls each resource only once. */
  connected(user: User, connection: Connection): void {
    const known = new Set(this.store.of(user.user_id, connection.provider).map(({ resource }) => resource));
    const isOnce = providerOf(connection.provider)!.pushesHistory;
    this.#plan(user, connection, (resource) => !(isOnce && known.has(resource)));
  }

  /** Ends the pulls of a connection that broke. */
  broken({ user_id, provider }: Connection): void {
    const now = this.#state.clock.now();
    for (const pull of this.store.of(user_id, provider).filter(isOpen)) this.#steps.giveUp(pull, 'non_retriable_error', now);
    this.#changed();
  }

  /** Plans the pulls of users again. Users without a working connection to the provider are ignored. Returns ids of pulls. */
  trigger(team: string, userIds: readonly string[], provider: string): number[] {
    const { users, connections } = this.#parts;
    return this.#state.database.transaction(() =>
      [...new Set(userIds)].flatMap((id) => {
        const user = users.find(team, id);
        const connection = user && connections.find(id, provider);
        return connection?.error_type === null ? this.#plan(user!, connection, () => true) : [];
      }),
    );
  }

  /** Returns whether the pull of a resource has not ended. */
  isRunning(user: string, provider: string, resource: string): boolean {
    return this.store.of(user, provider).some((pull) => pull.resource === resource && isOpen(pull));
  }

  /** Resolves to whether these pulls have ended, after at most `limit` milliseconds of real time. */
  whenEnded(ids: readonly number[], limit: number): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = (isEnded: boolean): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve(isEnded);
      };
      const look = (): void => {
        if (!this.store.isAnyOpen(ids)) stop(true);
      };
      const timer = setTimeout(() => stop(false), limit).unref();
      this.#watchers.add(look);
      look();
    });
  }

  /** Plans the chosen pulls in place of earlier ones. A resource that the user's permission no longer covers loses its pull. */
  #plan(user: User, connection: Connection, isChosen: (resource: string) => boolean): number[] {
    const { provider } = connection;
    for (const { pull_id, resource } of this.store.of(user.user_id, provider)) if (isChosen(resource)) this.store.remove(pull_id);
    return availableResources(connection)
      .filter((resource) => hasHistory(provider, resource) && isChosen(resource))
      .map((resource) => this.#add(user, connection, resource));
  }

  #add(user: User, connection: Connection, resource: string): number {
    const { provider, since } = connection;
    const { preferences, outbox } = this.#parts;
    const scheduled_at = this.#state.clock.now();
    const planned = { user_id: user.user_id, provider, resource, scheduled_at };
    const firstAttemptAt = scheduled_at + startPause(planned);
    const id = this.store.add({
      ...planned,
      range: rangeOf(user, daysOf(connection, resource, preferences.of(user.team_id, provider)), scheduled_at),
      isLegacy: !this.#state.versions.has('retrying pulls', user.team_id, since),
      firstAttemptAt,
    });
    if (providerOf(provider)!.pushesHistory) announce(outbox, user, this.store.find(id)!);
    this.#steps.plan(id, firstAttemptAt);
    return id;
  }

  #changed(): void {
    for (const look of [...this.#watchers]) look();
  }
}
