import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { KafkaSettings } from '@aorta/consumers';
import { AortaError } from '@aorta/telemetry';
import type { z } from 'zod';
import { type ConfigurationDocument, type Path, readDocument } from './document.ts';
import type { Environment } from './environment.ts';
import { type Place, type PlaceOptions, placeOf, streamsOf } from './place.ts';
import { problemsOf } from './problems.ts';
import { type Configuration, configurationSchema, duckDb } from './schema.ts';

/** Name of the file that is read where none is named. */
const configurationFile = 'aorta.yaml';

/** Everything that is wrong with a configuration, at once. */
export class ConfigurationRefused extends Error {
  readonly problems: readonly AortaError[];

  constructor(problems: readonly AortaError[]) {
    super('The configuration was refused.');
    this.name = 'ConfigurationRefused';
    this.problems = problems;
  }
}

/** A configuration and where its data stands. */
export interface Setting {
  /** The file that was read, as it was named; undefined where there was none and the defaults hold. */
  readonly file: string | undefined;
  readonly configuration: Configuration;
  readonly place: Place;
}

export interface SettingOptions extends PlaceOptions {
  readonly config?: string | undefined;
}

/**
 * Reads the configuration that holds for a command: the file that `--config` names, else `aorta.yaml` of the folder, else
 * the defaults. Paths in a file are relative to the file, those of the command line to the folder.
 * Throws AORTA-CONFIG-NOT-FOUND, or {@link ConfigurationRefused} with all problems.
 */
export function readSetting(options: SettingOptions, environment: Environment, folder: string): Setting {
  const file = options.config ?? configurationFile;
  const text = textOf(resolve(folder, file), file, options.config !== undefined);
  const read = text === undefined ? configurationSchema.parse({}) : parseConfiguration(file, text, environment);
  const base = text === undefined ? folder : dirname(resolve(folder, file));
  // The command line names DuckDB files; a dataset is configured.
  const duckDbOf = read.warehouse.type === 'duckdb' ? read.warehouse : duckDb.parse({ type: 'duckdb' });
  const configuration = options.warehouse === undefined ? read : { ...read, warehouse: duckDbOf };
  const warehouse = resolve(base, duckDbOf.path);
  // Beside topics the folder holds what belongs to one process: checkpoints, and what it remembers of redeliveries.
  const streams = configuration.streams.type === 'local' ? configuration.streams.folder : undefined;
  const configured: Place = { streams: streams === undefined ? streamsOf(warehouse) : resolve(base, streams), warehouse };
  return {
    file: text === undefined ? undefined : file,
    configuration: resolveSources(configuration, base),
    place: placeOf(configured, options, folder),
  };
}

/** Reads the text of a configuration. Throws {@link ConfigurationRefused}. */
export function parseConfiguration(file: string, text: string, environment: Environment): Configuration {
  const document = readDocument(file, text, environment);
  // Where a variable is missing, its field would be complained about a second time; where there is no YAML, nothing can be said.
  if (document.value === undefined) throw new ConfigurationRefused(document.problems);
  const result = validated(document);
  const variableLines = new Set(document.problems.map((problem) => problem.details.line));
  const problems = result.success
    ? document.problems
    : [
        ...document.problems,
        ...problemsOf(document, result.error.issues, configurationSchema).filter(
          (problem) => !variableLines.has(problem.details.line),
        ),
      ];
  if (!result.success || problems.length > 0)
    throw new ConfigurationRefused(problems.toSorted((a, b) => Number(a.details.line) - Number(b.details.line)));
  return result.data;
}

/** Values out of the environment are texts; those that have to be something else are read as it, where they stood without quotes. */
function validated(document: ConfigurationDocument): z.ZodSafeParseResult<Configuration> {
  const result = configurationSchema.safeParse(document.value);
  if (result.success) return result;
  let changed = false;
  for (const issue of result.error.issues) {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    if (issue.code !== 'invalid_type' || !document.isFromEnvironment(path)) continue;
    changed = reread(document.value, path, issue.expected) || changed;
  }
  return changed ? configurationSchema.safeParse(document.value) : result;
}

function reread(root: unknown, path: Path, expected: string): boolean {
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => (value as Record<string | number, unknown>)[part], root);
  const last = path.at(-1);
  if (last === undefined || typeof parent !== 'object' || parent === null) return false;
  const holder = parent as Record<string | number, unknown>;
  const text = holder[last];
  if (typeof text !== 'string') return false;
  if ((expected === 'number' || expected === 'int') && /^-?\d+(\.\d+)?$/.test(text)) holder[last] = Number(text);
  else if (expected === 'boolean' && (text === 'true' || text === 'false')) holder[last] = text === 'true';
  else return false;
  return true;
}

function textOf(path: string, name: string, named: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code !== 'ENOENT') throw new AortaError('AORTA-FILE-UNREADABLE', { file: name, code });
    if (named) throw new AortaError('AORTA-CONFIG-NOT-FOUND', { file: name });
    return undefined;
  }
}

function resolveCertificates(tls: KafkaSettings['tls'], base: string): KafkaSettings['tls'] {
  if (typeof tls === 'boolean') return tls;
  const files = (['ca_file', 'cert_file', 'key_file'] as const).flatMap((name) => {
    const file = tls[name];
    return file === undefined ? [] : [[name, resolve(base, file)]];
  });
  return { ...tls, ...Object.fromEntries(files) };
}

function resolveSources(configuration: Configuration, base: string): Configuration {
  const { warehouse } = configuration;
  const keyFile = warehouse.type === 'bigquery' ? warehouse.key_file : undefined;
  return {
    ...configuration,
    ...(warehouse.type === 'bigquery' && keyFile !== undefined
      ? { warehouse: { ...warehouse, key_file: resolve(base, keyFile) } }
      : {}),
    sources: configuration.sources.map((source) => {
      if (source.type === 'files') return { ...source, paths: source.paths.map((path) => resolve(base, path)) };
      if (source.type === 'kafka') return { ...source, tls: resolveCertificates(source.tls, base) };
      const { checkpoints } = source;
      if (checkpoints.type !== 'file' || checkpoints.folder === undefined) return source;
      return { ...source, checkpoints: { ...checkpoints, folder: resolve(base, checkpoints.folder) } };
    }),
  };
}
