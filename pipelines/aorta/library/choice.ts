import { builtIn, composeRegistry, type Registry } from '@aorta/connectors/registry';
import { createLogger, type Logger, silentLogger } from '@aorta/runtime';
import { ConfigurationRefused, readSetting, type Setting } from '../config/configuration.ts';
import type { Reading, Section } from '../config/sections.ts';

/**
 * The configuration and the location of the data. By default, `aorta.yaml` in `folder` is read. If it does not exist, the data is
 * in the folder `aorta-data`.
 */
export interface Choice {
  /** Path of a configuration file, or its content as an object. */
  readonly configuration?: string | Readonly<Record<string, unknown>>;
  /** `duckdb:PATH`, used instead of the configured warehouse. */
  readonly warehouse?: string;
  /** Folder for streams and tables, used instead of the configured one. */
  readonly data?: string;
  /** Base folder for relative paths. Default: the working directory. */
  readonly folder?: string;
  /** Values of variables in the configuration. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Custom adapters of sources, stream logs and warehouses that the configuration can refer to. */
  readonly adapters?: Partial<Registry>;
}

/** By default, log messages go to standard error if the configuration sets `log.level`, and nowhere otherwise. */
export interface Logging {
  readonly logger?: Logger;
}

/**
 * Reads the sections of the configuration that a function of the library needs. If the configuration is invalid, throws an AortaError whose
 * `cause` lists all `problems`.
 */
export function settingOf<Opened extends Section>(
  { configuration, warehouse, data, folder = process.cwd(), environment = process.env, adapters = {} }: Choice,
  reads: Reading<Opened, never>,
): Setting<Opened> {
  const chosen =
    typeof configuration === 'object' ? { content: JSON.stringify(configuration, null, 2) } : { config: configuration };
  try {
    return readSetting({ ...chosen, warehouse, data }, environment, folder, { reads, registry: registryWith(adapters) });
  } catch (error) {
    const [first] = error instanceof ConfigurationRefused ? error.problems : [];
    if (first === undefined) throw error;
    first.cause = error;
    throw first;
  }
}

function registryWith({ sources = [], streamLogs = [], warehouses = [] }: Partial<Registry>): Registry {
  return composeRegistry({
    sources: [...builtIn.sources, ...sources],
    streamLogs: [...builtIn.streamLogs, ...streamLogs],
    warehouses: [...builtIn.warehouses, ...warehouses],
  });
}

export function loggerOf({ configuration }: Setting<'log'>, { logger }: Logging): Logger {
  if (logger !== undefined) return logger;
  const { level } = configuration.log;
  return level === undefined ? silentLogger : createLogger(level);
}
