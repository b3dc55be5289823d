import type { DestinationKind } from '../etl/pipeline.ts';
import type { State } from '../state.ts';

const DAY_MS = 24 * 3_600_000;
/** Attempts are counted in steps of this length, in milliseconds. */
const STEP_MS = 5 * 60_000;
const KEPT_MS = 30 * DAY_MS;
const DELETE = 'delete old delivery counts';

type Outcome = 'succeeded' | 'failed';

/** How many attempts had each outcome. */
export type Attempted = Readonly<Partial<Record<Outcome, number>>>;

interface Attempts {
  readonly team_id: string;
  readonly destination: DestinationKind;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The attempts of one destination with one outcome, in steps of equal length. */
interface Series {
  readonly destination: DestinationKind;
  readonly outcome: Outcome;
  /** The number of attempts of each step with attempts, by its beginning (ms since 1970). */
  readonly counts: ReadonlyMap<number, number>;
}

interface Row extends Pick<Series, 'destination' | 'outcome'> {
  readonly begin: number;
  readonly attempts: number;
}

/** Counts the attempts to deliver events, and keeps the numbers for 30 days. A batch to a hub counts as one attempt for each event. */
export class DeliveryCounts {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
    state.jobs.change<null>(DELETE, (_, now) => this.#delete(now));
  }

  /** Counts attempts that were made at the same time, in the caller's transaction. A team that was deleted meanwhile has no counts. */
  add({ team_id, destination, at }: Attempts, { succeeded = 0, failed = 0 }: Attempted): void {
    if (succeeded > 0) this.#add({ team_id, destination, at }, 'succeeded', succeeded);
    if (failed > 0) this.#add({ team_id, destination, at }, 'failed', failed);
    if (succeeded + failed > 0 && this.#state.jobs.count(DELETE) === 0) this.#plan(at + KEPT_MS + DAY_MS);
  }

  /** Returns what has been counted since the beginning of a step. `width` is a multiple of 5 minutes, in milliseconds. */
  since(team: string, begin: number, width: number): Series[] {
    const rows = this.#state.database.all<Row>(
      `select destination, outcome, step_at - step_at % ?3 as begin, sum(attempts) as attempts from delivery_counts
       where team_id = ?1 and step_at >= ?2 group by destination, outcome, begin order by destination, outcome`,
      team,
      begin,
      width,
    );
    return [...Map.groupBy(rows, ({ destination, outcome }) => `${destination} ${outcome}`).values()].map((some) => ({
      destination: some[0]!.destination,
      outcome: some[0]!.outcome,
      counts: new Map(some.map((row) => [row.begin, row.attempts])),
    }));
  }

  #add({ team_id, destination, at }: Attempts, outcome: Outcome, attempts: number): void {
    this.#state.database.run(
      `insert into delivery_counts select team_id, ?, ?, ?, ? from teams where team_id = ?
       on conflict do update set attempts = attempts + excluded.attempts`,
      ...[at - (at % STEP_MS), destination, outcome, attempts, team_id],
    );
  }

  #delete(now: number): void {
    const { database } = this.#state;
    database.run('delete from delivery_counts where step_at < ?', now - KEPT_MS);
    if (database.get('select 1 from delivery_counts limit 1') !== undefined) this.#plan(now + DAY_MS);
  }

  #plan(dueAt: number): void {
    this.#state.jobs.add({ kind: DELETE, dueAt, subject: DELETE, payload: null });
  }
}
