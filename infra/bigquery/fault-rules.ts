export type CallKind =
  /** A load job that contains its data. */
  | 'upload'
  /** Any other job: a query, a copy, or a load whose data is not in the request. */
  | 'job-insert'
  | 'job-get'
  | 'job-cancel'
  | 'job-list'
  /** The method jobs.query, which runs a query and returns its rows. */
  | 'query'
  /** A read of a query job's rows. Clients also use this call to wait for the job. */
  | 'query-results'
  | 'tables-get'
  | 'tables-insert'
  | 'tables-patch'
  | 'tables-delete'
  | 'tables-list'
  /** A read or write of a table's rows without SQL. */
  | 'table-data'
  | 'datasets-get'
  | 'datasets-insert'
  | 'datasets-patch'
  | 'datasets-delete'
  | 'datasets-list'
  | 'other';

/** A fault that a rule applies to a call. */
export type Fault =
  /** The call is not carried out. The response is an error with this HTTP status and reason. */
  | { readonly kind: 'status'; readonly status: number; readonly reason: string; readonly message?: string }
  /**
   * The connection is reset. With `before`, the call is not carried out. With `after`, it is carried out, and only the answer is
   * lost.
   */
  | { readonly kind: 'reset'; readonly when: 'before' | 'after' }
  /** The connection is reset after `afterBytes` bytes of the body (default 1). The call is not carried out. */
  | { readonly kind: 'cut'; readonly afterBytes?: number }
  /** The call is never answered. With `before`, it is not carried out. With `after`, it is carried out. */
  | { readonly kind: 'hang'; readonly when: 'before' | 'after' }
  /** The job is accepted but does nothing. It is DONE with this reason in its `errorResult`. */
  | {
      readonly kind: 'job-fails';
      readonly reason: string;
      readonly message?: string;
      /** Whether the job had begun a transaction before it failed. If true, the job's statistics name the transaction. */
      readonly inTransaction?: boolean;
    }
  /** A list of tables omits the tables whose name contains one of these strings, as an eventually consistent list may. */
  | { readonly kind: 'omits'; readonly tables: readonly string[] }
  /** The job is carried out, but its state is RUNNING for this many milliseconds of real time. */
  | { readonly kind: 'job-runs'; readonly forMs: number };

/** Selects the calls to which a fault applies. */
export interface FaultRule {
  readonly on: CallKind | readonly CallKind[];
  /** Applies only to calls with this string in their path or body, such as a table, a job id or a part of a statement. */
  readonly about?: string;
  /** Applies only to calls that contain `about` at least this many times. Default: 1. */
  readonly aboutTimes?: number;
  /** The first matching call to which the rule applies, counting from 1. Default: 1. */
  readonly from?: number;
  /** Maximum number of calls to which the rule applies. Default: 1. */
  readonly times?: number | 'always';
  readonly fault: Fault;
}

interface ActiveRule {
  readonly id: number;
  readonly rule: FaultRule;
  seen: number;
}

/** The active rules, and how often each rule has applied to a call. */
export class FaultRules {
  readonly #calls = new Map<CallKind, number>();
  readonly #hits = new Map<number, number>();
  #active: ActiveRule[] = [];
  #last = 0;

  inject(rule: FaultRule): number {
    const id = ++this.#last;
    this.#active.push({ id, rule, seen: 0 });
    this.#hits.set(id, 0);
    return id;
  }

  remove(rule: number | undefined): void {
    this.#active = rule === undefined ? [] : this.#active.filter(({ id }) => id !== rule);
  }

  count(kind: CallKind): void {
    this.#calls.set(kind, (this.#calls.get(kind) ?? 0) + 1);
  }

  /** Returns true if an active rule may cut off calls of this kind while their bodies arrive. */
  cuts(kind: CallKind): boolean {
    return this.#active.some(({ rule }) => rule.fault.kind === 'cut' && concerns(rule, kind));
  }

  /**
   * Returns the number of bytes after which a call is cut off, or undefined if the call is not cut off. `text` is the text
   * received so far.
   */
  cutAfter(kind: CallKind, text: string): number | undefined {
    const active = this.#active.find(({ rule }) => rule.fault.kind === 'cut' && concerns(rule, kind) && isAbout(rule, text));
    return active?.rule.fault.kind === 'cut' ? (active.rule.fault.afterBytes ?? 1) : undefined;
  }

  /**
   * Counts a call for the rules that match it, up to the first rule that applies to it. Returns the fault of that rule, if any.
   * With `cut`, considers only rules that cut calls off, and otherwise only the other rules.
   */
  take(kind: CallKind, text: string, cut = false): Fault | undefined {
    let taken: Fault | undefined;
    for (const active of this.#active) {
      const { rule } = active;
      if ((rule.fault.kind === 'cut') !== cut || !concerns(rule, kind) || !isAbout(rule, text)) continue;
      if (taken !== undefined) continue;
      active.seen++;
      const from = rule.from ?? 1;
      const times = rule.times ?? 1;
      if (active.seen < from || (times !== 'always' && active.seen >= from + times)) continue;
      this.#hits.set(active.id, this.#hits.get(active.id)! + 1);
      taken = rule.fault;
    }
    return taken;
  }

  get calls(): Partial<Record<CallKind, number>> {
    return Object.fromEntries(this.#calls);
  }

  get hits(): Record<string, number> {
    return Object.fromEntries(this.#hits);
  }
}

const concerns = ({ on }: FaultRule, kind: CallKind): boolean => (typeof on === 'string' ? on === kind : on.includes(kind));
const isAbout = ({ about, aboutTimes = 1 }: FaultRule, text: string): boolean =>
  about === undefined || text.split(about).length > aboutTimes;
