import type { CallKind, Fault, FaultRule } from './fault.ts';

interface Standing {
  readonly id: number;
  readonly rule: FaultRule;
  seen: number;
}

/** The rules that stand, and what they have hit. */
export class FaultRules {
  readonly #calls = new Map<CallKind, number>();
  readonly #hits = new Map<number, number>();
  #standing: Standing[] = [];
  #last = 0;

  inject(rule: FaultRule): number {
    const id = ++this.#last;
    this.#standing.push({ id, rule, seen: 0 });
    this.#hits.set(id, 0);
    return id;
  }

  remove(rule: number | undefined): void {
    this.#standing = rule === undefined ? [] : this.#standing.filter(({ id }) => id !== rule);
  }

  /** Counts a call. */
  count(kind: CallKind): void {
    this.#calls.set(kind, (this.#calls.get(kind) ?? 0) + 1);
  }

  /** Whether a rule that stands might cut calls of this kind while their bodies come. */
  cuts(kind: CallKind): boolean {
    return this.#standing.some(({ rule }) => rule.fault.kind === 'cut' && concerns(rule, kind));
  }

  /** After how many bytes a call has to be cut, as far as can be told from what has come of it. */
  cutAfter(kind: CallKind, text: string): number | undefined {
    const standing = this.#standing.find(({ rule }) => rule.fault.kind === 'cut' && concerns(rule, kind) && isAbout(rule, text));
    return standing?.rule.fault.kind === 'cut' ? (standing.rule.fault.afterBytes ?? 1) : undefined;
  }

  /** What happens to a call that has come as a whole, or (`cut`) is to be cut; counts it for the rules that it concerns. */
  take(kind: CallKind, text: string, cut = false): Fault | undefined {
    let taken: Fault | undefined;
    for (const standing of this.#standing) {
      const { rule } = standing;
      if ((rule.fault.kind === 'cut') !== cut || !concerns(rule, kind) || !isAbout(rule, text)) continue;
      if (taken !== undefined) continue;
      standing.seen++;
      const from = rule.from ?? 1;
      const times = rule.times ?? 1;
      if (standing.seen < from || (times !== 'always' && standing.seen >= from + times)) continue;
      this.#hits.set(standing.id, this.#hits.get(standing.id)! + 1);
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
