import { join } from 'node:path';
import type { SourceSurroundings } from '@aorta/connectors';
import { type AortaError, errorFields } from '@aorta/runtime';
import type { Setting } from './configuration/configuration.ts';
import { sourcesOf } from './configuration/configured-source.ts';
import type { SourceOfRun } from './pipeline.ts';

/** The configured sources, to be opened again for every look at them. */
export interface ConfiguredSources {
  readonly all: readonly SourceOfRun[];
  /** What was wrong with single files, over all looks; the others were taken. */
  readonly problems: readonly AortaError[];
}

/** What a run gives every source, whatever its settings are. */
export type SourcesOptions = Pick<SourceSurroundings, 'once' | 'worker' | 'patient' | 'logger' | 'metrics' | 'progress'>;

/** The sources of the configuration. What is wrong with single files is logged once, however often they are looked at. */
export function configuredSources(setting: Setting, options: SourcesOptions): ConfiguredSources {
  const { configuration, place } = setting;
  const { logger } = options;
  const sources = sourcesOf(setting);
  // Loaded while streams and warehouse are opened: who takes over from a crashed process is waited for.
  for (const adapter of new Set(sources.map((source) => source.adapter))) adapter.load().catch(() => {});
  const problems: AortaError[] = [];
  const told = new Set<string>();
  const tell = (source: string, error: AortaError): void => {
    if (told.has(error.message)) return;
    told.add(error.message);
    problems.push(error);
    logger.warn('file not taken whole', { source, ...errorFields(error) });
  };
  return {
    problems,
    all: sources.map(({ settings, adapter }) => ({
      open: async () =>
        (await adapter.load()).open(settings, {
          ...options,
          state: stateOf(place.streams, settings.name),
          window: configuration.redelivery_window.offsets,
          documentBytes: configuration.limits.document_bytes,
          onProblem: (error) => tell(settings.name, error),
        }),
      againAfterMs: adapter.restMs?.(settings) ?? 0,
    })),
  };
}

/** What a source keeps in the data folder stands beside the streams that it belongs to. An adapter adds an ending. */
export function stateOf(streams: string, source: string): string {
  return join(streams, 'sources', encodeURIComponent(source));
}
