import { DAY_MS, HOUR_MS, type Period } from '../period.ts';
import type { Step } from './step.ts';

/** Faults end this long before the end, so that every event arrives in time. In a short demonstration, they end later. */
const CALM_MS = 8 * HOUR_MS;

type Rule = Parameters<Parameters<Step['happen']>[0]['service']['faults']['add']>[0];

const daily = 'daily.data.';

/** Rules that apply from the beginning: repeated, late and lost deliveries. A lost one is sent again. */
const rules: readonly Rule[] = [
  { on: 'delivery', match: { via: 'pipeline', event_type_prefix: daily }, probability: 0.02, effect: { kind: 'duplicate' } },
  {
    ...{ on: 'delivery', match: { via: 'pipeline', event_type_prefix: daily }, probability: 0.01 },
    effect: { kind: 'reorder', behind: 6, within_seconds: 6 * 3600 },
  } as Rule,
  { on: 'delivery', match: { via: 'webhook' }, probability: 0.05, effect: { kind: 'duplicate' } },
  { on: 'delivery', match: { via: 'webhook' }, probability: 0.1, effect: { kind: 'lose', status: 503 } },
];

/** Holds back all events of the pipeline for five hours. */
const outage: Rule = { on: 'delivery', match: { via: 'pipeline' }, times: 1, delay_seconds: 5 * 3600 };

/** Returns the steps in which deliveries begin and cease to go wrong. */
export function deliveryFaults({ from, end }: Period): Step[] {
  const middle = from + Math.floor((end - from) / (2 * DAY_MS)) * DAY_MS + 13 * HOUR_MS;
  const steps: Step[] = [
    { at: from, happen: ({ service }) => void rules.map((rule) => service.faults.add(rule)) },
    { at: middle, happen: ({ service }) => void service.faults.add(outage) },
    { at: Math.max(middle + 6 * HOUR_MS, end - CALM_MS), happen: ({ service }) => void service.faults.clear() },
  ];
  return steps.filter(({ at }) => at < end);
}
