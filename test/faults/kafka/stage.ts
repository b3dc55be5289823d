import { measured } from '../stage/measured.ts';
import { Stage as AnyStage, type StageOptions } from '../stage/stage.ts';
import { Crowd, Pulse } from './producing.ts';
import { type Brokers, Topic } from './topic.ts';
import { Machines, type SharedWarehouse } from './workers.ts';

/** Partitions of each stream's topic, where streams are topics. */
const STREAM_PARTITIONS = 3;

/** A broker, machines that read its topic, people who write to it, and faults in between. */
export class Stage extends AnyStage {
  readonly topic: Topic;
  readonly machines: Machines;
  readonly crowd: Crowd;

  private constructor(topic: Topic, options: StageOptions, warehouse: SharedWarehouse | undefined) {
    const machines = new Machines(topic, warehouse);
    const crowd = new Crowd(topic, options.seed);
    super(topic, { machines, crowd, pulse: new Pulse(topic) }, options);
    this.topic = topic;
    this.machines = machines;
    this.crowd = crowd;
  }

  /**
   * Plays a case, and shows in the end that every record is in the tables, once and as the model has it. Streams are files
   * of each machine, or topics that all share. `warehouse` makes what all of them land in, if not in a file of each.
   */
  static async play(
    options: StageOptions & {
      readonly streams: 'files' | 'topics';
      readonly warehouse?: () => Promise<SharedWarehouse>;
      /** Starts brokers that are the stage's, and says how machines reach them. Default: one broker of its own. */
      readonly on?: () => Promise<{ readonly brokers: Brokers; readonly access: object }>;
      /** Hears how many records more than deliveries the streams have in the end, where they are topics. */
      readonly repeats?: (count: number) => void;
    },
    act: (stage: Stage) => Promise<void>,
  ): Promise<void> {
    const { partitions } = options;
    const streams = options.streams === 'topics' ? STREAM_PARTITIONS : undefined;
    await measured(options.silences.turns, async (alone) => {
      const warehouse = await options.warehouse?.();
      const on = await options.on?.();
      const topic =
        on === undefined ? await Topic.start(partitions, streams) : await Topic.on(on.brokers, on.access, partitions, streams);
      const stage = new Stage(topic, options, warehouse);
      return stage.playOut(
        alone,
        async () => {
          if (options.streams === 'topics') await stage.machines.apply();
          await act(stage);
        },
        async () => options.repeats?.(await stage.#repeats()),
      );
    });
  }

  /** Each delivery has one record in one stream: what is there beyond that was written again. */
  async #repeats(): Promise<number> {
    const { deliveries, poison } = await this.topic.content();
    return (await this.topic.streamRecords()) - deliveries.length - poison.length;
  }
}
