import type { Step } from '@aorta/runtime';
import { expect } from 'vitest';
import type { TestDelivery } from '../model/delivery.ts';
import { modelTables } from '../model/model.ts';
import { ordered, printedTables } from '../model/printed.ts';
import { Broker, type Fetch, System, WINDOW } from './system.ts';

/** A run of the process: what it fetches, and where it crashes. `crashAt` is a kind of step, or the number of a step, counted from 0. */
export interface Run {
  readonly fetches: readonly Fetch[];
  /** Whether the run then fetches all remaining deliveries. */
  readonly drain?: boolean;
  readonly crashAt?: number | Step | undefined;
}

/**
 * Runs the pipeline as given, and then once without a crash. Expects the tables of the model, and that the last run accounts for
 * each delivery that it received. Returns for each given run whether it crashed.
 */
export async function expectModelTables(
  log: readonly TestDelivery[],
  runs: readonly Run[],
  last: readonly Fetch[],
): Promise<boolean[]> {
  const system = new System();
  try {
    const broker = new Broker(log);
    const crashed: boolean[] = [];
    for (const { fetches, drain = false, crashAt } of runs)
      crashed.push((await system.run(broker.source(fetches, drain), crashAt)) === undefined);
    const tally = await system.run(broker.source(last, true));
    expect(tally, 'the last run ends without a crash').toBeDefined();
    const { received, redelivered, streams, unrouted, dead_letters } = tally!;
    const sum = (counts: Readonly<Record<string, number>>): number =>
      Object.values(counts).reduce((total, count) => total + count, 0);
    expect(received).toBe(redelivered + sum(streams) + unrouted + sum(dead_letters));
    const reader = await system.read();
    try {
      expect(ordered(await printedTables(reader))).toEqual(ordered(modelTables(log, { window: WINDOW })));
    } finally {
      await reader.close();
    }
    return crashed;
  } finally {
    system.remove();
  }
}
