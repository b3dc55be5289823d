import type { Database } from '../storage/database.ts';

interface State {
  readonly virtual_time: number;
  readonly real_time: number;
  readonly runs: number;
}

/**
 * The time of the service. It is virtual: tests move it, and everything that the service writes into bodies carries it. A
 * running clock also moves by itself, as fast as the machine's. It never goes back.
 */
export class Clock {
  readonly #database: Database;
  readonly #realNow: () => number;

  /** `start` is the virtual time of a new database, in milliseconds since 1970. */
  constructor(database: Database, { start, runs }: { readonly start: number; readonly runs: boolean }, realNow = Date.now) {
    this.#database = database;
    this.#realNow = realNow;
    if (database.get('select 1 from clock') === undefined)
      database.run('insert into clock values (?, ?, ?)', start, realNow(), runs ? 1 : 0);
  }

  /** Milliseconds since 1970. */
  now(): number {
    const { virtual_time, real_time, runs } = this.#state;
    return runs === 1 ? virtual_time + Math.max(0, this.#realNow() - real_time) : virtual_time;
  }

  get runs(): boolean {
    return this.#state.runs === 1;
  }

  /** Moves the clock to a later time. An earlier time changes nothing. */
  moveTo(time: number): void {
    if (time <= this.now()) return;
    this.#database.run('update clock set virtual_time = ?, real_time = ?', time, this.#realNow());
  }

  /** Stops the clock, or lets it run. */
  setRunning(runs: boolean): void {
    this.#database.run('update clock set virtual_time = ?, real_time = ?, runs = ?', this.now(), this.#realNow(), runs ? 1 : 0);
  }

  /** Writes the present time into the database. */
  note(): void {
    this.setRunning(this.runs);
  }

  /** Continues from the time that the database holds, as if no real time had passed since. */
  resume(): void {
    this.#database.run('update clock set real_time = ?', this.#realNow());
  }

  get #state(): State {
    return this.#database.get<State>('select virtual_time, real_time, runs from clock')!;
  }
}
