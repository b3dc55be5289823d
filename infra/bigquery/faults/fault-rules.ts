import type { CallKind, Fault, FaultRule } from './fault.ts';

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
