import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { AdapterSettings } from '@aorta/connectors';
import { adapterOf, builtIn, type Registry } from '@aorta/connectors/registry';
import { AortaError } from '@aorta/runtime';
import type { z } from 'zod';
import { ProgramError } from '../errors.ts';
import { type Call, callOf } from '../printing/command-lines.ts';
import {
  type DataLocation,
  namedWarehouse,
  type PlaceOptions,
  placeOf,
  streamsOf,
  type WarehouseHere,
  warehousesHere,
} from './data-location.ts';
import { type ConfigurationDocument, type Path, readDocument } from './document.ts';
import type { Environment } from './environment.ts';
import { problemsOf } from './problems.ts';
import { type Configuration, type ConfigurationSchema, configurationSchemaOf } from './schema.ts';

/** The file that is read if `--config` is not given. */
const configurationFile = 'aorta.yaml';

/** The error for an invalid configuration, with all its problems. */
export class ConfigurationRefused extends Error {
  readonly problems: readonly AortaError[];

  constructor(problems: readonly AortaError[]) {
    super('The configuration was refused.');
    this.name = 'ConfigurationRefused';
    this.problems = problems;
  }
}

/** A configuration and the location of its data. */
export interface Setting {
  /** The file that was read, as the user named it; undefined if there was no file and the defaults apply. */
  readonly file: string | undefined;
  readonly configuration: Configuration;
  readonly place: DataLocation;
  /** The adapters that the configuration can refer to. */
  readonly registry: Registry;
  /** How the user called the program, for the commands that it prints. */
  readonly call: Call;
}

export interface SettingOptions extends PlaceOptions {
  readonly config?: string | undefined;
  /**
   * Content of the configuration, used instead of a file. Relative paths in it are resolved against the `folder` that is
   * passed to {@link readSetting}.
   */
  readonly content?: string | undefined;
}

/**
 * Reads the configuration of a command from the file named by `--config`, or from `aorta.yaml` in `folder` if there is no
 * `--config`. If `aorta.yaml` does not exist, the defaults apply. Relative paths in a file are resolved against the folder
 * of the file. Relative paths on the command line are resolved against `folder`. Throws AORTA-CONFIG-NOT-FOUND if the file
 * named by `--config` does not exist. Throws {@link ConfigurationRefused} with all problems if the configuration is invalid.
 */
export function readSetting(
  options: SettingOptions,
  environment: Environment,
  folder: string,
  registry: Registry = builtIn,
): Setting {
  const file = options.content === undefined ? (options.config ?? configurationFile) : 'configuration';
  const text = options.content ?? textOf(resolve(folder, file), file, options.config !== undefined);
  const read =
    text === undefined ? configurationSchemaOf(registry).parse({}) : parseConfiguration(file, text, environment, registry);
  const base = text === undefined ? folder : dirname(resolve(folder, file));
  const here = warehousesHere(registry.warehouses);
  const named = options.warehouse === undefined ? undefined : namedWarehouse(options.warehouse, here, folder);
  const { adapter, settings } = warehouseHere(read.warehouse, named === undefined ? here : [named.adapter]);
  const configuration = named === undefined ? read : { ...read, warehouse: settings };
  const warehouse = resolve(base, adapter.onDisk.pathOf(settings));
  // A folder is needed even for Kafka topics: it holds the checkpoints and the redelivery window of this process.
  const streams = adapterOf(registry.streamLogs, configuration.streams).folderOf?.(configuration.streams);
  const configured: DataLocation = {
    streams: streams === undefined ? streamsOf(warehouse, adapter) : resolve(base, streams),
    warehouse,
  };
  return {
    file: text === undefined ? undefined : file,
    configuration: resolvePaths(configuration, base, registry),
    place: placeOf({ place: configured, adapter }, options.data === undefined ? undefined : resolve(folder, options.data), named),
    registry,
    call: callOf(options, environment),
  };
}

/**
 * Returns the configured warehouse if its type is in `here`. Otherwise returns the first type in `here` with default
 * settings.
 */
function warehouseHere(
  configured: AdapterSettings,
  here: readonly WarehouseHere[],
): { readonly adapter: WarehouseHere; readonly settings: AdapterSettings } {
  const own = here.find(({ type }) => type === configured.type);
  const adapter = own ?? here[0]!;
  return { adapter, settings: own === undefined ? adapter.options.parse({ type: adapter.type }) : configured };
}

/** Parses a configuration. Throws {@link ConfigurationRefused} if it is invalid. */
export function parseConfiguration(
  file: string,
  text: string,
  environment: Environment,
  registry: Registry = builtIn,
): Configuration {
  const schema = configurationSchemaOf(registry);
  const document = readDocument(file, text, environment);
  // A document that is not YAML cannot be validated further.
  if (document.value === undefined) throw new ConfigurationRefused(document.problems);
  const result = validated(document, schema);
  const variableLines = new Set(document.problems.map((problem) => problem.details.line));
  const problems = result.success
    ? document.problems
    : [
        ...document.problems,
        ...problemsOf(document, result.error.issues, schema).filter((problem) => !variableLines.has(problem.details.line)),
      ];
  if (!result.success || problems.length > 0)
    throw new ConfigurationRefused(problems.toSorted((a, b) => Number(a.details.line) - Number(b.details.line)));
  return result.data;
}

/** Validates a document. Unquoted values from the environment become numbers or booleans if the schema expects them. */
function validated(document: ConfigurationDocument, schema: ConfigurationSchema): z.ZodSafeParseResult<Configuration> {
  const result = schema.safeParse(document.value);
  if (result.success) return result;
  let changed = false;
  for (const issue of result.error.issues) {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    if (issue.code !== 'invalid_type' || !document.isFromEnvironment(path)) continue;
    changed = reread(document.value, path, issue.expected) || changed;
  }
  return changed ? schema.safeParse(document.value) : result;
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
    if (named) throw new ProgramError('AORTA-CONFIG-NOT-FOUND', { file: name });
    return undefined;
  }
}

/** Returns the configuration with absolute paths. Relative paths are resolved against `base`. */
function resolvePaths(configuration: Configuration, base: string, registry: Registry): Configuration {
  const { sources, warehouse } = configuration;
  return {
    ...configuration,
    sources: sources.map((source) => {
      const adapter = adapterOf(registry.sources, source);
      const resolved = adapter.resolvePaths?.(source, base) ?? source;
      return adapter.withStreams?.(resolved, configuration.streams) ?? resolved;
    }),
    warehouse: adapterOf(registry.warehouses, warehouse).resolvePaths?.(warehouse, base) ?? warehouse,
  };
}
