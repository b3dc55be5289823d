import { createHash } from 'node:crypto';
import type { FaultRule } from './fault-rule.ts';

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
 * Chooses the first rule that selects something, has uses left, and is hit by its chance. `drawer` is what draws the chance:
 * each destination of events has chances of its own.
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
