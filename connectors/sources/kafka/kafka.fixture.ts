import type { Delivery, Source } from '../../source.ts';
import { type KafkaSettings, kafkaSourceOptions } from './options.ts';

/** Settings that react within a second or so. */
export function settingsFor(brokers: readonly string[], parts: Partial<KafkaSettings> = {}): KafkaSettings {
  return {
    ...kafkaSourceOptions.parse({
      type: 'kafka',
      brokers: [...brokers],
      topics: ['events'],
      commit_s: 0.1,
      session_s: 6,
      release_s: 3,
      metadata_s: 2,
    }),
    ...parts,
  };
}

/** What a collecting consumer has seen. */
export interface Collected {
  readonly deliveries: Delivery[];
  /** Offsets shown to the window alone, by partition. */
  readonly before: Map<string, number[]>;
  error: unknown;
  /** Ends the reading in order, as the consumer does. */
  stop(): Promise<void>;
  /** When the source has ended by itself. */
  readonly ended: Promise<void>;
}

/** Takes what a source gives and commits it at once (or never), until stopped. */
export function collect<Position>(source: Source<Position>, { commit = true } = {}): Collected {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    try {
      for await (const { deliveries, position, before } of source.batches(stopping.signal)) {
        if (before === true) {
          for (const { partition, offset } of deliveries) {
            collected.before.set(partition, [...(collected.before.get(partition) ?? []), offset]);
          }
        } else collected.deliveries.push(...deliveries);
        if (commit) await source.commit([position]);
      }
    } catch (error) {
      collected.error = error;
    }
  };
  const collected: Collected = {
    deliveries: [],
    before: new Map(),
    error: undefined,
    stop: async () => {
      stopping.abort();
      await collected.ended;
      await source.close?.();
    },
    ended: Promise.resolve().then(() => running),
  };
  const running = run();
  return collected;
}
