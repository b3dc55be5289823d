import { decide, type RuleState } from '../faults/decision.ts';
import type { DeliveryEffect, DeliveryRule } from '../faults/fault-rule.ts';
import { selectsDelivery } from '../faults/selection.ts';

/** A delivery that waits: one event to one destination, an endpoint or a hub. Times are in milliseconds since 1970. */
export interface WaitingDelivery {
  readonly delivery_id: number;
  readonly destination: string;
  readonly due_at: number;
  readonly attempts: number;
  /** JSON: the effect that is left of a fault rule, after its delay. Null if the rules have not been asked yet. */
  readonly decided: string | null;
  /** How many later events of the user must arrive before this one; null if no rule holds it back. */
  readonly behind: number | null;
  /** How often the delivery was begun again by hand. */
  readonly restarts: number;
  /** Id of the message at an endpoint; null for a hub. */
  readonly message_id: string | null;
  readonly event_id: number;
  readonly event_name: string;
  readonly event_type: string;
  readonly team_id: string;
  readonly user_id: string | null;
  readonly is_historical: number;
  readonly body: string;
}

/** What happens to a delivery that is due: an attempt, or it waits because of a fault rule. */
export type Decision =
  | { readonly kind: 'attempt'; readonly copies: 1 | 2; readonly lost?: Extract<DeliveryEffect, { kind: 'lose' }> }
  | { readonly kind: 'delay'; readonly until: number; readonly effect: DeliveryEffect | null }
  | { readonly kind: 'hold'; readonly until: number; readonly behind: number };

interface Decided {
  readonly decision: Decision;
  /** All rules after the decision. */
  readonly rules: readonly RuleState<DeliveryRule>[];
}

/** Decides what fault rules make of a delivery. `rules` have the counts of its destination. */
export function decideDelivery(
  delivery: WaitingDelivery,
  via: 'webhook' | 'pipeline',
  { rules, at }: { readonly rules: readonly RuleState<DeliveryRule>[]; readonly at: number },
): Decided {
  if (delivery.decided !== null)
    return { decision: decisionOf(JSON.parse(delivery.decided) as DeliveryEffect | null, at), rules };
  const { destination, event_type, user_id, team_id } = delivery;
  const facts = { via, event_type, user_id, team_id, endpoint_id: via === 'webhook' ? destination : undefined };
  const { rule, states } = decide(rules, (one) => selectsDelivery(one, facts), destination);
  const effect = rule?.effect ?? null;
  if (rule?.delay_seconds === undefined) return { decision: decisionOf(effect, at), rules: states };
  return { decision: { kind: 'delay', until: at + rule.delay_seconds * 1000, effect }, rules: states };
}

function decisionOf(effect: DeliveryEffect | null, at: number): Decision {
  switch (effect?.kind) {
    case 'reorder':
      return { kind: 'hold', until: at + effect.within_seconds * 1000, behind: effect.behind };
    case 'duplicate':
      return { kind: 'attempt', copies: 2 };
    case 'lose':
      return { kind: 'attempt', copies: 1, lost: effect };
    default:
      return { kind: 'attempt', copies: 1 };
  }
}
