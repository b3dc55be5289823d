import { join } from 'node:path';
import type { Outputs, Source, SourceSurroundings, StandIn } from '@aorta/connectors';
import { builtIn } from '@aorta/connectors/registry';
import { type AortaError, errorFields } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { type Call, withCommandLines } from '../cli/printing/command-lines.ts';
import { sourcesOf } from '../config/adapters.ts';
import type { Setting } from '../config/configuration.ts';
import { warehousesHere } from '../config/data-location.ts';

/** Maximum number of problems to print. Further problems are only counted. */
const MOST_PROBLEMS = 10;

/** A source that is opened again for each pass. */
export interface SourceOfRun {
  open(): Promise<Source> | Source;
  /** Milliseconds between the end of a pass and the start of the next, in a run with `untilStopped`. */
  readonly againAfterMs: number;
}

export interface ConfiguredSources {
  readonly all: readonly SourceOfRun[];
  /** Problems with single files in any pass. The other files were loaded. */
  readonly problems: readonly AortaError[];
  /** Opens the stand-ins of the sources. See {@link SourceModule.standIn}. Never rejects. */
  standIn(error: AortaError, signal: AbortSignal): Promise<StandIn>;
}

/** Options that a run passes to every source. */
export type SourcesOptions = Pick<SourceSurroundings, 'once' | 'worker' | 'patient' | 'logger' | 'metrics' | 'progress' | 'now'>;

/** Returns the configured sources. Each problem with a file is logged once, even if it occurs again in a later pass. */
export function configuredSources(
  setting: Setting<'sources' | 'redelivery_window' | 'limits'>,
  options: SourcesOptions,
): ConfiguredSources {
  const { configuration, place } = setting;
  const { logger } = options;
  const sources = sourcesOf(setting);
  // The adapters are loaded while the streams and the warehouse open, so that a crashed process restarts quickly.
  for (const adapter of new Set(sources.map((source) => source.adapter))) adapter.load().catch(() => {});
  const problems: AortaError[] = [];
  const told = new Set<string>();
  const outputs = outputsOf(setting);
  const tell = (source: string, error: AortaError): void => {
    if (told.has(error.message)) return;
    told.add(error.message);
    problems.push(error);
    if (error.code === 'AORTA-FILE-OWN') logger.info('left out', { source, ...errorFields(error) });
    else logger.warn('source not loaded completely', { source, ...errorFields(error) });
  };
  return {
    problems,
    standIn: async (error, signal) => {
      const surroundings = { ...options, error, signal };
      const opening = sources.map(async ({ settings, adapter }) => (await adapter.load()).standIn?.(settings, surroundings));
      const opened = await Promise.all(opening);
      return { close: async () => void (await Promise.all(opened.map((one) => one?.close()))) };
    },
    all: sources.map(({ settings, adapter }) => ({
      open: async () =>
        (await adapter.load()).open(settings, {
          ...options,
          state: stateOf(place.streams, settings.name),
          window: configuration.redelivery_window.offsets,
          documentBytes: configuration.limits.document_bytes,
          outputs,
          onProblem: (error) => tell(settings.name, error),
        }),
      againAfterMs: adapter.restMs?.(settings) ?? 0,
    })),
  };
}

/** A lasting problem, as `aorta status` shows it. */
export interface Problem {
  readonly code: string;
  readonly problem: string;
  readonly remedy: string;
}

/** A lasting problem with a part of a source, such as a file. */
export interface SourceProblem extends Problem {
  readonly source: string;
}

export function problemsIn(errors: readonly AortaError[], call: Call): readonly Problem[] {
  return errors.map(({ code, message, remedy }) => ({ code, problem: message, remedy: withCommandLines(remedy, call) }));
}

/** Returns the lasting problems of the configured sources. */
export async function sourceProblems(setting: Setting<never>): Promise<readonly SourceProblem[]> {
  const found = sourcesOf(setting).map(async ({ settings, adapter }) => {
    const { problems } = await adapter.load();
    const errors = (await problems?.(settings, stateOf(setting.place.streams, settings.name))) ?? [];
    return problemsIn(errors, setting.call).map((problem) => ({ source: settings.name, ...problem }));
  });
  return (await Promise.all(found)).flat();
}

export function problemLines(problems: readonly (Problem & Partial<SourceProblem>)[]): string[] {
  const shown = problems.slice(0, MOST_PROBLEMS);
  const lines = shown.flatMap(({ source, code, problem, remedy }) => [
    `${source === undefined ? '' : `Source ${source}: `}${problem} [${code}]`,
    `  ${remedy}`,
  ]);
  return shown.length === problems.length ? lines : [...lines, `and ${counted(problems.length - shown.length, 'more problem')}.`];
}

/** Returns the files that a run writes, and its configuration file. */
export function outputsOf({
  place,
  path,
  registry = builtIn,
}: Pick<Setting<never>, 'place'> & Partial<Pick<Setting, 'registry' | 'path'>>): Outputs {
  const warehouse = warehousesHere(registry.warehouses).flatMap(({ onDisk }) => onDisk.filesOf(place.warehouse));
  return {
    paths: new Map([
      ...(path === undefined ? [] : [[path, 'the configuration of this run'] as const]),
      ...warehouse.map((file) => [file, 'a part of the warehouse of this run'] as const),
      [place.streams, 'the folder with the streams of this run'],
    ]),
    descriptors: new Map([
      [1, 'the standard output of this run'],
      [2, 'the log of this run'],
    ]),
  };
}

/** Returns the path for a source's state in the streams folder. The adapter appends a file extension. */
export function stateOf(streams: string, source: string): string {
  return join(streams, 'sources', encodeURIComponent(source));
}
