import { measured } from '../stage/measured.ts';
import { Stage as AnyStage, type StageOptions } from '../stage/stage.ts';
import { Hubs } from './hubs.ts';
import { logOfHub } from './log-of-hub.ts';
import { Crowd, Pulse } from './producing.ts';
import { Machines } from './workers.ts';

/** A hub, machines that read it, people who write to it, and faults in between. */
export class Stage extends AnyStage {
  readonly hubs: Hubs;
  readonly machines: Machines;
  readonly crowd: Crowd;

  private constructor(hubs: Hubs, options: StageOptions) {
    const machines = new Machines(hubs);
    const crowd = new Crowd(hubs, options.seed);
    const ground = {
      names: hubs.names,
      ends: () => hubs.ends(),
      content: () => logOfHub(hubs),
      remove: () => hubs.remove(),
    };
    super(ground, { machines, crowd, pulse: new Pulse(hubs) }, options);
    this.hubs = hubs;
    this.machines = machines;
    this.crowd = crowd;
  }

  /** Plays a case, and shows in the end that every event is in the tables, once and as the model has it. */
  static async play(options: StageOptions, act: (stage: Stage) => Promise<void>): Promise<void> {
    await measured(options.silences.turns, async (alone) => {
      const stage = new Stage(await Hubs.start(options.partitions), options);
      return stage.playOut(alone, () => act(stage));
    });
  }
}
