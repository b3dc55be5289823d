import { measured } from '../stage/measured.ts';
import { Stage as AnyStage, type StageOptions } from '../stage/stage.ts';
import { Publisher, Ticker } from './producing.ts';
import { type Brokers, Topic } from './topic.ts';
import { Machines, type SharedWarehouse } from './workers.ts';

/** Number of partitions in each stream's topic, if streams are stored in topics. */
const STREAM_PARTITIONS = 3;

/** A broker, machines that read its topic, producers that write to it, and injected faults. */
export class Stage extends AnyStage {
  readonly topic: Topic;
  readonly machines: Machines;
  readonly publisher: Publisher;

  private constructor(topic: Topic, options: StageOptions, warehouse: SharedWarehouse | undefined) {
    const machines = new Machines(topic, warehouse);
    const publisher = new Publisher(topic, options.seed);
    super(topic, { machines, publisher, ticker: new Ticker(topic) }, options);
    this.topic = topic;
    this.machines = machines;
    this.publisher = publisher;
  }

  /**
   * Runs a case. Then checks that every record is in the tables exactly once, and that the tables equal those of the model. Each
   * machine has its own streams in local files, or all machines share streams in topics. `warehouse` creates a shared warehouse.
   * By default, each machine has its own DuckDB file.
   */
  static async play(
    options: StageOptions & {
      readonly streams: 'files' | 'topics';
      readonly warehouse?: () => Promise<SharedWarehouse>;
      /** Starts the brokers and returns them with the machines' connection options. By default, the case has one broker. */
      readonly on?: () => Promise<{ readonly brokers: Brokers; readonly access: object }>;
      /** If streams are stored in topics, called with the number of records in the streams minus the number of deliveries. */
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

  /** Returns the number of records in the streams minus the number of deliveries. */
  async #repeats(): Promise<number> {
    const { deliveries, poison } = await this.topic.content();
    return (await this.topic.streamRecords()) - deliveries.length - poison.length;
  }
}
