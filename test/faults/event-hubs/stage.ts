import { measured } from '../stage/measured.ts';
import { Stage as AnyStage, type StageOptions } from '../stage/stage.ts';
import { Hubs } from './hubs.ts';
import { logOfHub } from './log-of-hub.ts';
import { Publisher, Ticker } from './producing.ts';
import { Machines } from './workers.ts';

/** A hub, machines that read it, producers that write to it, and injected faults. */
export class Stage extends AnyStage {
  readonly hubs: Hubs;
  readonly machines: Machines;
  readonly publisher: Publisher;

  private constructor(hubs: Hubs, options: StageOptions) {
    const machines = new Machines(hubs);
    const publisher = new Publisher(hubs, options.seed);
    const log = {
      names: hubs.names,
      ends: () => hubs.ends(),
      content: () => logOfHub(hubs),
      remove: () => hubs.remove(),
    };
    super(log, { machines, publisher, ticker: new Ticker(hubs) }, options);
    this.hubs = hubs;
    this.machines = machines;
    this.publisher = publisher;
  }

  /** Runs a case. Then checks that every event is in the tables exactly once, and that the tables equal those of the model. */
  static async play(options: StageOptions, act: (stage: Stage) => Promise<void>): Promise<void> {
    await measured(options.silences.turns, async (alone) => {
      const stage = new Stage(await Hubs.start(options.partitions), options);
      return stage.playOut(alone, () => act(stage));
    });
  }
}
