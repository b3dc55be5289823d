import type { Database } from '../storage/database.ts';
import { type Course, courseOf, isOut, nextOf, type Outcome } from './outcomes.ts';
import type { Pull } from './pull.ts';

/** The pulls that a script is about. Null: of all users, of all resources. */
interface Scope {
  readonly provider: string;
  readonly user_id: string | null;
  readonly resource: string | null;
}

export interface Script extends Scope {
  readonly outcomes: readonly Outcome[];
}

interface Row extends Scope {
  readonly script_id: number;
  readonly outcomes: string;
  /** Outcomes that the resource of the user still has before it. */
  readonly left: string | null;
}

type Target = Pick<Pull, 'user_id' | 'provider' | 'resource'>;

/**
 * The outcomes of the next attempts. Each resource of each user goes through a script on its own, so one pull does not use up
 * the outcomes of another. If several scripts apply, the outcomes come from the most specific one. A script with a
 * user precedes one without. Among these, a script with a resource precedes one without. Outages count in all of them.
 */
export class PullScripts {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the script of a scope. An empty list removes it. */
  set({ provider, user_id, resource, outcomes }: Script): void {
    this.#database.transaction(() => {
      this.#database.run(
        'delete from pull_scripts where provider = ? and user_id is ? and resource is ?',
        provider,
        user_id,
        resource,
      );
      if (outcomes.length === 0) return;
      this.#database.run(
        'insert into pull_scripts (provider, user_id, resource, outcomes) values (?, ?, ?, ?)',
        provider,
        user_id,
        resource,
        JSON.stringify(outcomes),
      );
    });
  }

  all(): Script[] {
    return this.#database
      .all<Row>('select provider, user_id, resource, outcomes from pull_scripts order by script_id')
      .map((row) => ({ ...row, outcomes: parsed(row.outcomes) }));
  }

  isOut(target: Target, now: number): boolean {
    return this.#of(target).some(({ outcomes }) => isOut(parsed(outcomes), now));
  }

  /** Takes the outcome of an attempt that begins from the script, and returns the course of the attempt. */
  draw(target: Target, chunksLeft: number): Course {
    const script = this.#of(target)[0];
    if (script === undefined) return courseOf(undefined, chunksLeft);
    const { outcome, left } = nextOf(parsed(script.left ?? script.outcomes));
    this.#database.run(
      'insert into pull_script_progress values (?, ?, ?, ?) on conflict do update set outcomes = excluded.outcomes',
      script.script_id,
      target.user_id,
      target.resource,
      JSON.stringify(left),
    );
    return courseOf(outcome, chunksLeft);
  }

  /** Returns the scripts about a resource of a user, the most specific first. */
  #of({ user_id, provider, resource }: Target): Row[] {
    return this.#database.all(
      `select s.script_id, s.provider, s.user_id, s.resource, s.outcomes, p.outcomes as left
       from pull_scripts s
       left join pull_script_progress p on p.script_id = s.script_id and p.user_id = ?1 and p.resource = ?3
       where s.provider = ?2 and (s.user_id is null or s.user_id = ?1) and (s.resource is null or s.resource = ?3)
       order by s.user_id is null, s.resource is null`,
      user_id,
      provider,
      resource,
    );
  }
}

const parsed = (outcomes: string): Outcome[] => JSON.parse(outcomes) as Outcome[];
