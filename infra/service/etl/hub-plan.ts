import { type Decision, decideDelivery, type WaitingDelivery } from '../delivery/delivery.ts';
import type { RuleState } from '../faults/decision.ts';
import type { DeliveryRule } from '../faults/fault-rule.ts';

interface Given {
  /** Fault rules with the counts of the hub. */
  readonly rules: readonly RuleState<DeliveryRule>[];
  /** Users of events that rules hold back from the hub. Null stands for all events without a user. */
  readonly heldUsers: readonly (string | null)[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface HubPlan {
  /** In the order of sending. A duplicate is contained twice. */
  readonly sent: readonly WaitingDelivery[];
  /** Deliveries that rules let wait. */
  readonly waiting: readonly { readonly delivery: WaitingDelivery; readonly decision: Exclude<Decision, { kind: 'attempt' }> }[];
  /** Whether a fault rule loses the attempt after the sent ones. */
  readonly isLost: boolean;
  readonly rules: readonly RuleState<DeliveryRule>[];
}

/**
 * Plans what a hub gets next of the deliveries that wait for it, in the order of their events. A delay stops all later events. The
 * plan ends with an event that may be the last for which another of its user is held back, so that this one is next.
 */
export function planHub(deliveries: readonly WaitingDelivery[], given: Given): HubPlan {
  const { at } = given;
  const held = new Set(given.heldUsers);
  const sent: WaitingDelivery[] = [];
  const waiting: HubPlan['waiting'][number][] = [];
  let { rules } = given;
  for (const delivery of deliveries) {
    if (delivery.due_at > at) break;
    const decided = decideDelivery(delivery, 'pipeline', { rules, at });
    rules = decided.rules;
    const { decision } = decided;
    if (decision.kind === 'attempt') {
      if (decision.lost !== undefined) return { sent, waiting, rules, isLost: true };
      sent.push(...new Array<WaitingDelivery>(decision.copies).fill(delivery));
      if (held.has(delivery.user_id)) break;
    } else {
      waiting.push({ delivery, decision });
      if (decision.kind === 'delay') break;
      held.add(delivery.user_id);
    }
  }
  return { sent, waiting, rules, isLost: false };
}
