import type { State } from '../state.ts';
import { decide, type RuleState } from './decision.ts';
import type { DeliveryRule, FaultRule, OperationRule } from './fault-rule.ts';
import { type RequestFacts, selectsRequest } from './selection.ts';

interface Row {
  readonly rule_id: string;
  readonly rule: string;
  readonly seen: number;
  readonly used: number;
}

/** Stands for the destination in the counts of rules for requests. */
const API = '';

/** The fault rules. They are part of the state, so they survive restarts and belong to snapshots. */
export class FaultRules {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Adds a rule behind the others. The first rule that applies decides. */
  add(rule: FaultRule): RuleState {
    const { database, draws } = this.#state;
    return database.transaction(() => {
      const row = database.get<Row>(
        'insert into fault_rules (rule_id, applies_to, rule) values (?, ?, ?) returning *, 0 as seen, 0 as used',
        `fault_${draws.bytes('fault rule', 8).toString('hex')}`,
        rule.on,
        JSON.stringify(rule),
      )!;
      return stateOf(row);
    });
  }

  /** Returns all rules, with the sums of their counts. */
  list(): RuleState[] {
    return this.#state.database
      .all<Row>(
        `select rule_id, rule, coalesce(sum(seen), 0) as seen, coalesce(sum(used), 0) as used
         from fault_rules left join fault_uses using (rule_id) group by rule_id order by position`,
      )
      .map(stateOf);
  }

  /** Returns whether there was such a rule. */
  remove(id: string): boolean {
    return this.#state.database.run('delete from fault_rules where rule_id = ?', id) > 0;
  }

  /** Removes all rules. Returns their number. */
  clear(): number {
    return this.#state.database.run('delete from fault_rules');
  }

  /** Decides which rule applies to a request, and counts it. */
  forRequest(facts: RequestFacts): OperationRule | undefined {
    const { rule, states } = decide(this.#on<OperationRule>('operation', API), (one) => selectsRequest(one, facts));
    this.save(API, states);
    return rule;
  }

  /**
   * Returns the rules for deliveries with the counts of a destination: each destination has all uses of a rule, so the speed of
   * one decides nothing about another. The caller saves the counts after its decisions.
   */
  forDeliveries(destination: string): RuleState<DeliveryRule>[] {
    return this.#on<DeliveryRule>('delivery', destination);
  }

  /** Saves the counts of rules at a destination. A rule that was removed meanwhile stays removed. */
  save(destination: string, states: readonly RuleState[]): void {
    if (states.length === 0) return;
    const { database } = this.#state;
    database.transaction(() => {
      for (const { rule_id, seen, used } of states)
        if (seen > 0)
          database.run(
            `insert into fault_uses select rule_id, ?, ?, ? from fault_rules where rule_id = ?
             on conflict do update set seen = excluded.seen, used = excluded.used where seen <> excluded.seen`,
            destination,
            seen,
            used,
            rule_id,
          );
    });
  }

  #on<Rule extends FaultRule>(kind: Rule['on'], destination: string): RuleState<Rule>[] {
    return this.#state.database
      .all<Row>(
        `select fault_rules.rule_id, rule, coalesce(seen, 0) as seen, coalesce(used, 0) as used
         from fault_rules left join fault_uses on fault_uses.rule_id = fault_rules.rule_id and destination = ?
         where applies_to = ? order by position`,
        destination,
        kind,
      )
      .map((row) => stateOf(row) as RuleState<Rule>);
  }
}

function stateOf({ rule_id, rule, seen, used }: Row): RuleState {
  return { rule_id, rule: JSON.parse(rule) as FaultRule, seen, used };
}
