import type { State } from '../state.ts';
import { decide, type RuleState } from './decision.ts';
import type { DeliveryRule, FaultRule, OperationRule } from './fault-rule.ts';
import { type DeliveryFacts, type RequestFacts, selectsDelivery, selectsRequest } from './selection.ts';

interface Row {
  readonly rule_id: string;
  readonly rule: string;
  readonly seen: number;
  readonly used: number;
}

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
        'insert into fault_rules (rule_id, applies_to, rule, seen, used) values (?, ?, ?, 0, 0) returning *',
        `fault_${draws.bytes('fault rule', 8).toString('hex')}`,
        rule.on,
        JSON.stringify(rule),
      )!;
      return stateOf(row);
    });
  }

  list(): RuleState[] {
    return this.#state.database.all<Row>('select * from fault_rules order by position').map(stateOf);
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
    const rules = this.#on<OperationRule>('operation');
    const { rule, states } = decide(rules, (one) => selectsRequest(one, facts));
    this.save(states);
    return rule;
  }

  /** Decides which rule applies to an attempt, and counts it. */
  forDelivery(facts: DeliveryFacts): DeliveryRule | undefined {
    const { rule, states } = decide(this.forDeliveries(), (one) => selectsDelivery(one, facts));
    this.save(states);
    return rule;
  }

  /** Returns the rules for deliveries. The caller saves them after its decisions. */
  forDeliveries(): RuleState<DeliveryRule>[] {
    return this.#on<DeliveryRule>('delivery');
  }

  /** Saves the counts of rules. */
  save(states: readonly RuleState[]): void {
    if (states.length === 0) return;
    const { database } = this.#state;
    database.transaction(() => {
      for (const { rule_id, seen, used } of states)
        database.run('update fault_rules set seen = ?, used = ? where rule_id = ? and seen <> ?', seen, used, rule_id, seen);
    });
  }

  #on<Rule extends FaultRule>(kind: Rule['on']): RuleState<Rule>[] {
    return this.#state.database
      .all<Row>('select * from fault_rules where applies_to = ? order by position', kind)
      .map((row) => stateOf(row) as RuleState<Rule>);
  }
}

function stateOf({ rule_id, rule, seen, used }: Row): RuleState {
  return { rule_id, rule: JSON.parse(rule) as FaultRule, seen, used };
}
