import { createHash } from 'node:crypto';
import type { State } from '../state.ts';
import type { DeliveryRule, FaultRule, OperationRule } from './fault-rule.ts';

interface Row {
  readonly rule_id: string;
  readonly rule: string;
  readonly seen: number;
  readonly used: number;
}

/** Stands for the destination in the counts of rules for requests. */
const API = '';

/** A rule and its counts. */
export interface RuleState<Rule extends FaultRule = FaultRule> {
  readonly rule_id: string;
  readonly rule: Rule;
  /** How often the rule selected something while it had uses left. */
  readonly seen: number;
  /** How often it applied. */
  readonly used: number;
}

interface Decision<Rule extends FaultRule> {
  /** The rule that applies. */
  readonly rule: Rule | undefined;
  /** All rules after the decision. */
  readonly states: readonly RuleState<Rule>[];
}

/**
 * Returns the first rule that applies, has uses left, and passes its random draw. `drawer` names the series of draws: each
 * destination of events has its own.
 */
export function decide<Rule extends FaultRule>(
  states: readonly RuleState<Rule>[],
  selects: (rule: Rule) => boolean,
  drawer = '',
): Decision<Rule> {
  const after = [...states];
  for (const [index, state] of states.entries()) {
    const { rule, seen, used } = state;
    if (used >= (rule.times ?? Number.POSITIVE_INFINITY) || !selects(rule)) continue;
    const applies = chance(state, drawer) < (rule.probability ?? 1);
    after[index] = { ...state, seen: seen + 1, used: applies ? used + 1 : used };
    if (applies) return { rule, states: after };
  }
  return { rule: undefined, states: after };
}

/** Returns a number from 0 to 1. Rule ids come from the seed, so the same seed gives the same numbers. */
function chance({ rule_id, seen }: RuleState, drawer: string): number {
  return createHash('sha256').update(`${rule_id} ${drawer} ${seen}`).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** A request, as rules see it. */
export interface RequestFacts {
  /** Id of the operation; undefined for a path that no operation has. */
  readonly operation: string | undefined;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** Returns the team whose key the request has. */
  readonly team: () => string | undefined;
}

/** An attempt to deliver an event, as rules see it. */
export interface DeliveryFacts {
  readonly via: 'webhook' | 'pipeline';
  readonly event_type: string;
  /** Null for an event about no known user. */
  readonly user_id: string | null;
  readonly team_id: string;
  /** Undefined in a pipeline. */
  readonly endpoint_id: string | undefined;
}

/** Returns whether a rule selects a request. */
export function selectsRequest({ match }: OperationRule, facts: RequestFacts): boolean {
  const { operation, method, path, path_prefix, query = {}, team_id } = match;
  return (
    (operation === undefined || operation === facts.operation) &&
    (method === undefined || method === facts.method) &&
    (path === undefined || isPath(path, facts.path)) &&
    (path_prefix === undefined || facts.path.startsWith(path_prefix)) &&
    Object.entries(query).every(([name, value]) => facts.query[name] === value) &&
    (team_id === undefined || team_id === facts.team())
  );
}

/** Returns whether a rule selects an attempt. */
export function selectsDelivery({ match }: DeliveryRule, facts: DeliveryFacts): boolean {
  const { event_type_prefix, user_id, endpoint_id, pipeline, via } = match;
  return (
    (event_type_prefix === undefined || facts.event_type.startsWith(event_type_prefix)) &&
    (user_id === undefined || user_id === facts.user_id) &&
    (endpoint_id === undefined || endpoint_id === facts.endpoint_id) &&
    (pipeline === undefined || (facts.via === 'pipeline' && pipeline === facts.team_id)) &&
    (via === undefined || via === facts.via)
  );
}

/** Returns whether a path matches a pattern, in which `{name}` stands for any segment. Ignores a trailing slash. */
function isPath(pattern: string, path: string): boolean {
  const [wanted, found] = [segmentsOf(pattern), segmentsOf(path)];
  return wanted.length === found.length && wanted.every((segment, index) => /^\{.+\}$/.test(segment) || segment === found[index]);
}

const segmentsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

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
