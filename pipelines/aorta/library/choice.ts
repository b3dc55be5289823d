import { builtIn, composeRegistry, type Registry } from '@aorta/connectors/registry';
import { createLogger, type Logger, silentLogger } from '@aorta/runtime';
import { ConfigurationRefused, readSetting, type Setting } from '../configuration/configuration.ts';

/** Where the data stands, and what is configured. Left out: `aorta.yaml` of the folder if there is one, else `aorta-data`. */
export interface Choice {
  /** Path of a configuration file, or the configuration itself: the object that such a file would hold. */
  readonly configuration?: string | Readonly<Record<string, unknown>>;
  /** `duckdb:PATH`, in place of the configured warehouse. */
  readonly warehouse?: string;
  /** Folder for streams and tables, in place of the configured one. */
  readonly data?: string;
  /** Folder that relative paths start from. Default: the one of the process. */
  readonly folder?: string;
  /** Values of the variables in the configuration. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Types of sources, stream logs and warehouses that the configuration may name beside those of Aorta. */
  readonly adapters?: Partial<Registry>;
}

/** Where log lines go. By default nowhere, or to standard error if the configuration sets `log.level`. */
export interface Logging {
  readonly logger?: Logger;
}

/**
 * Reads the configuration that a program chose. Throws an AortaError; if several things are wrong with a configuration, its
 * `cause` holds all of them as `problems`.
 */
export function settingOf({
  configuration,
  warehouse,
  data,
  folder = process.cwd(),
  environment = process.env,
  adapters = {},
}: Choice): Setting {
  const chosen =
    typeof configuration === 'object' ? { content: JSON.stringify(configuration, null, 2) } : { config: configuration };
  try {
    return readSetting({ ...chosen, warehouse, data }, environment, folder, registryWith(adapters));
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

export function loggerOf({ configuration }: Setting, { logger }: Logging): Logger {
  if (logger !== undefined) return logger;
  const { level } = configuration.log;
  return level === undefined ? silentLogger : createLogger(level);
}
