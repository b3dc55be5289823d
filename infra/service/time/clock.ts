import { instant, LAST_INSTANT } from '../api/times.ts';
import { contradiction, type Database } from '../storage/database.ts';

interface State {
  readonly virtual_time: number;
  readonly real_time: number;
  readonly runs: number;
  readonly first_time: number;
  readonly first_runs: number;
}

interface ClockOptions {
  /** Virtual time of a new database, in milliseconds since 1970. Default: the machine's time. */
  readonly start: number | undefined;
  /** Whether the clock of a new database runs. Default: true. */
  readonly runs: boolean | undefined;
}

/** The machine's time when this process started, and the time since then. A change of the machine's clock does not change it. */
const steadyNow = (): number => Math.round(performance.timeOrigin + performance.now());

/**
 * The time of the service. It is virtual: tests move it, and everything that the service writes into bodies carries it. A
 * running clock also moves by itself, as fast as the machine's. It never goes back.
 */
export class Clock {
  readonly #database: Database;
  readonly #realNow: () => number;
  /** The row of the database. Reading it for each of the many questions for the time would be slow. */
  #known: { readonly state: State; readonly withdrawals: number } | undefined;

  /** Throws a {@link StateError} if the options contradict an existing database. The options of its first clock never do. */
  constructor(database: Database, options: ClockOptions, realNow = steadyNow) {
    this.#database = database;
    this.#realNow = realNow;
    if (database.get('select 1 from clock') === undefined) this.#create(options);
    else this.#compare(options);
    // The machine's clock was set back since an earlier process wrote the database.
    if (this.#state.real_time > this.#realNow()) this.resume();
  }

  /** Milliseconds since 1970. The clock ends with the year 9999. */
  now(): number {
    const { virtual_time, real_time, runs } = this.#state;
    return runs === 1 ? Math.min(virtual_time + Math.max(0, this.#realNow() - real_time), LAST_INSTANT) : virtual_time;
  }

  get runs(): boolean {
    return this.#state.runs === 1;
  }

  /** Moves the clock to a later time. An earlier time changes nothing. */
  moveTo(time: number): void {
    if (time <= this.now()) return;
    this.#change('update clock set virtual_time = ?, real_time = ?', time, this.#realNow());
  }

  /** Stops the clock, or lets it run. */
  setRunning(runs: boolean): void {
    this.#change('update clock set virtual_time = ?, real_time = ?, runs = ?', this.now(), this.#realNow(), runs ? 1 : 0);
  }

  /** Writes the present time into the database. */
  note(): void {
    this.setRunning(this.runs);
  }

  /** Continues from the time that the database holds, as if no real time had passed since. */
  resume(): void {
    this.#change('update clock set real_time = ?', this.#realNow());
  }

  #create({ start = this.#realNow(), runs = true }: ClockOptions): void {
    const runsNow = runs ? 1 : 0;
    this.#database.run('insert into clock values (?, ?, ?, ?, ?)', start, this.#realNow(), runsNow, start, runsNow);
  }

  #compare({ start, runs }: ClockOptions): void {
    const { first_time, first_runs, runs: runsNow } = this.#state;
    if (start !== undefined && start !== first_time)
      throw contradiction('start', `The clock of the state started at ${instant(first_time)}, not at ${instant(start)}.`);
    if (runs !== undefined && Number(runs) !== first_runs && Number(runs) !== runsNow)
      throw contradiction('runs', `The clock of the state ${runsNow === 1 ? 'runs' : 'is stopped'}.`);
  }

  get #state(): State {
    const { withdrawals } = this.#database;
    if (this.#known?.withdrawals !== withdrawals) {
      const state = this.#database.get<State>('select virtual_time, real_time, runs, first_time, first_runs from clock')!;
      this.#known = { state, withdrawals };
    }
    return this.#known.state;
  }

  #change(sql: string, ...values: number[]): void {
    this.#known = undefined;
    this.#database.run(sql, ...values);
  }
}
