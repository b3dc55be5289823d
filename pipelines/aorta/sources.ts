import { join } from 'node:path';
import {
  type EventHubsSettings,
  FilesCheckpoints,
  FilesSource,
  type KafkaSettings,
  parseReceivedAt,
  type Source,
} from '@aorta/consumers';
import { type AortaError, errorFields, type Logger, type Metrics, type Progress } from '@aorta/telemetry';
import type { Setting } from './configuration/configuration.ts';
import type { Configuration } from './configuration/schema.ts';
import type { SourceOfRun } from './pipeline.ts';

type SourceConfiguration = Configuration['sources'][number];
type FilesConfiguration = Extract<SourceConfiguration, { type: 'files' }>;

/** The configured sources, to be opened again for every look at them. */
export interface ConfiguredSources {
  readonly all: readonly SourceOfRun[];
  /** What was wrong with single files, over all looks; the others were taken. */
  readonly problems: readonly AortaError[];
}

export interface SourcesOptions {
  /** A run that ends when everything that is there has been taken. */
  readonly once: boolean;
  /** Name of this process among those who share partitions out. */
  readonly worker: string;
  /** An earlier process of the same run crashed: what refuses this one is waited for. */
  readonly patient?: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: Progress;
}

/** Positions of sources stand beside the streams that they belong to. */
const folderOfPositions = 'sources';

/** The sources of the configuration. What is wrong with single files is logged once, however often they are looked at. */
export function configuredSources(setting: Setting, options: SourcesOptions): ConfiguredSources {
  const { configuration } = setting;
  // Loaded while streams and warehouse are opened: who takes over from a crashed process is waited for.
  for (const type of new Set(configuration.sources.map((source) => source.type))) {
    if (type === 'event-hubs') eventHubsClient().catch(() => {});
    if (type === 'kafka') Promise.all([kafkaSource(), kafkaClient()]).catch(() => {});
  }
  const problems: AortaError[] = [];
  const told = new Set<string>();
  const tell = (source: string) => (error: AortaError) => {
    if (told.has(error.message)) return;
    told.add(error.message);
    problems.push(error);
    options.logger.warn('file not taken whole', { source, ...errorFields(error) });
  };
  return {
    problems,
    all: configuration.sources.map((source) =>
      source.type === 'files'
        ? {
            open: async () => telling(await openFiles(source, setting), tell(source.name)),
            againAfterMs: source.poll_s * 1000,
          }
        : // It never ends by itself in a run that goes on.
          {
            open: () => (source.type === 'kafka' ? openKafka(source, setting, options) : openEventHubs(source, setting, options)),
            againAfterMs: 0,
          },
    ),
  };
}

async function openFiles(source: FilesConfiguration, { configuration, place }: Setting): Promise<FilesSource> {
  const path = join(place.streams, folderOfPositions, `${encodeURIComponent(source.name)}.json`);
  return new FilesSource({
    paths: source.paths,
    name: source.name,
    checkpoints: await FilesCheckpoints.open(path),
    documentBytes: configuration.limits.document_bytes,
    ...(source.received_at === undefined ? {} : { receivedAt: parseReceivedAt(source.received_at) }),
  });
}

/** The client of Event Hubs is loaded only where it is configured: that takes a third of a second. */
const eventHubsClient = () => import('@aorta/consumers/event-hubs');

async function openEventHubs(
  settings: EventHubsSettings,
  { configuration, place }: Setting,
  options: SourcesOptions,
): Promise<Source> {
  const { EventHubsSource } = await eventHubsClient();
  return new EventHubsSource({
    ...options,
    settings,
    folder: checkpointsFolder(place.streams, settings.name),
    window: configuration.redelivery_window.offsets,
  });
}

const kafkaSource = () => import('@aorta/consumers/kafka');
const kafkaClient = () => import('@aorta/kafka-client');

async function openKafka(settings: KafkaSettings, { configuration }: Setting, options: SourcesOptions): Promise<Source> {
  const [{ KafkaSource }, { openKafka }] = await Promise.all([kafkaSource(), kafkaClient()]);
  return new KafkaSource({ ...options, settings, open: openKafka, window: configuration.redelivery_window.offsets });
}

/** Where the checkpoints of a source are, if they are files and no other folder is configured. */
export function checkpointsFolder(streams: string, source: string): string {
  return join(streams, folderOfPositions, `${encodeURIComponent(source)}.checkpoints`);
}

/** The source, saying at the end of its batches what was wrong with its files. */
function telling(source: FilesSource, tell: (error: AortaError) => void): Source {
  return {
    name: source.name,
    commit: (positions) => source.commit(positions as Parameters<FilesSource['commit']>[0]),
    async *batches(signal) {
      try {
        yield* source.batches(signal);
      } finally {
        for (const error of source.errors) tell(error);
      }
    },
  };
}
