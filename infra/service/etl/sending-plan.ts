import { decide, type RuleState } from '../faults/decision.ts';
import type { DeliveryEffect, DeliveryRule } from '../faults/fault-rule.ts';
import { selectsDelivery } from '../faults/selection.ts';
import type { Pipeline } from './pipeline.ts';
import { carries, type RoutedEvent } from './routing.ts';

/** An event that a fault rule holds back. Times are in milliseconds since 1970. */
interface HeldEvent {
  readonly event: RoutedEvent;
  /** It is sent after so many later events of its user. */
  readonly behind: number;
  /** It is sent at this time at the latest. */
  readonly until: number;
}

/** The next event, while a fault rule delays it, and with it the pipeline. */
interface DelayedEvent {
  readonly event_id: number;
  /** What happens after the delay. */
  readonly effect: DeliveryEffect | null;
  readonly until: number;
}

/** The position of a pipeline, the events that rules keep from being sent, and the rules. */
export interface Progress {
  /** The last event that was sent, held back, or left out. */
  readonly position: number;
  readonly held: readonly HeldEvent[];
  readonly delayed: DelayedEvent | null;
  readonly rules: readonly RuleState<DeliveryRule>[];
}

export interface SendingPlan {
  /** In the order of sending. A duplicate is contained twice. */
  readonly events: readonly RoutedEvent[];
  /** The progress after all of them are sent. */
  readonly after: Progress;
  /** Why the plan ends: all events are in it, an attempt is lost, or an event is delayed. */
  readonly end: 'all' | 'lost' | 'delayed';
}

/** Plans what a pipeline sends of the events after its position. `now` is in milliseconds since 1970. */
export function planSending(pipeline: Pipeline, events: readonly RoutedEvent[], before: Progress, now: number): SendingPlan {
  const overdue = before.held.filter(({ until }) => until <= now);
  const plan = new Plan(before, now);
  for (const { event } of overdue) plan.sent.push(event);
  let end: SendingPlan['end'] = 'all';
  for (const event of events) {
    if (carries(pipeline, event)) end = plan.add(event);
    if (end !== 'all') break;
    plan.position = event.event_id;
  }
  const { position, held, delayed, rules } = plan;
  return { events: plan.sent, after: { position, held, delayed, rules }, end };
}

class Plan {
  readonly sent: RoutedEvent[] = [];
  position: number;
  held: readonly HeldEvent[];
  delayed: DelayedEvent | null;
  rules: readonly RuleState<DeliveryRule>[];
  readonly #now: number;

  constructor({ position, held, delayed, rules }: Progress, now: number) {
    this.position = position;
    this.held = held.filter(({ until }) => until > now);
    this.delayed = delayed;
    this.rules = rules;
    this.#now = now;
  }

  /** Adds an event, unless a rule stops the plan before it. */
  add(event: RoutedEvent): SendingPlan['end'] {
    const effect = this.#effectOn(event);
    if (effect === 'delayed') return 'delayed';
    this.delayed = null;
    switch (effect?.kind) {
      case 'lose':
        return 'lost';
      case 'reorder':
        this.held = [...this.held, { event, behind: effect.behind, until: this.#now + effect.within_seconds * 1000 }];
        return 'all';
      case 'duplicate':
        this.sent.push(event);
    }
    this.sent.push(event);
    this.#release(event);
    return 'all';
  }

  #effectOn(event: RoutedEvent): DeliveryEffect | 'delayed' | undefined {
    if (this.delayed?.event_id === event.event_id)
      return this.delayed.until > this.#now ? 'delayed' : (this.delayed.effect ?? undefined);
    const facts = { ...event, via: 'pipeline', endpoint_id: undefined } as const;
    const { rule, states } = decide(this.rules, (one) => selectsDelivery(one, facts));
    this.rules = states;
    if (rule?.delay_seconds === undefined) return rule?.effect;
    const until = this.#now + rule.delay_seconds * 1000;
    this.delayed = { event_id: event.event_id, effect: rule.effect ?? null, until };
    return 'delayed';
  }

  /** Counts an event for those of its user that are held back, and sends the ones that have waited long enough. */
  #release({ user_id }: RoutedEvent): void {
    const counted = this.held.map((one) => (one.event.user_id === user_id ? { ...one, behind: one.behind - 1 } : one));
    this.held = counted.filter(({ behind }) => behind > 0);
    for (const { event, behind } of counted) if (behind === 0) this.sent.push(event);
  }
}
