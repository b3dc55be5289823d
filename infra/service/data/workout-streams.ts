import type { Database } from '../storage/database.ts';
import type { Json } from './arrival.ts';

/** The streams of workouts, which are too large for events. */
export class WorkoutStreams {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores the stream of a workout. Returns whether this version is new. */
  put(user: string, workout: string, stream: Json): boolean {
    const body = JSON.stringify(stream);
    return (
      this.#database.run(
        `insert into workout_streams values (?, ?, ?)
         on conflict do update set body = excluded.body where body <> excluded.body`,
        workout,
        user,
        body,
      ) === 1
    );
  }

  /** Returns the stream of a workout of a team's user. */
  find(team: string, workout: string): Json | undefined {
    const row = this.#database.get<{ body: string }>(
      `select body from workout_streams join users using (user_id)
       where team_id = ? and deleted_at is null and workout_id = ?`,
      team,
      workout,
    );
    return row === undefined ? undefined : (JSON.parse(row.body) as Json);
  }
}
