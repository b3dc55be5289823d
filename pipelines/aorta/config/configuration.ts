import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { AdapterSettings } from '@aorta/connectors';
import { adapterOf, builtIn, type Registry } from '@aorta/connectors/registry';
import { AortaError } from '@aorta/runtime';
import type { z } from 'zod';
import { type Call, callOf } from '../cli/printing/command-lines.ts';
import { ProgramError } from '../errors.ts';
import {
  type DataLocation,
  namedWarehouse,
  type PlaceOptions,
  placeOf,
  streamsOf,
  type WarehouseHere,
  warehousesHere,
} from './data-location.ts';
import { type ConfigurationDocument, type Environment, type Path, readDocument } from './document.ts';
import { problemsOf } from './problems.ts';
import { type Given, readableSections, type Unread } from './readable-sections.ts';
import {
  type Configuration,
  type ConfigurationSchema,
  configurationSchemaOf,
  everySection,
  type Reading,
  type Section,
  sections,
} from './schema.ts';
import { checkLinks, checkPath, problemOfBytes } from './usable-path.ts';

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

/** The sections of a configuration that a command reads, and the location of its data. */
export interface Setting<Opened extends Section = Section, Shown extends Section = never> {
  /** The file that was read, as the user named it; undefined if there was no file and the defaults apply. */
  readonly file: string | undefined;
  /** The absolute path of that file; undefined if there was none, or if its content was given. */
  readonly path: string | undefined;
  /** The sections that were read. A section in `Shown` is undefined if it could not be read. */
  readonly configuration: Pick<Configuration, Opened> & { readonly [Name in Shown]?: Configuration[Name] | undefined };
  /** The sections and sources that the command would show, but whose variables are not set. */
  readonly unread: readonly Unread[];
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

/** How {@link readSetting} reads a configuration. */
interface HowToRead<Opened extends Section, Shown extends Section> {
  /** The sections that the command reads. Default: all. */
  readonly reads?: Reading<Opened, Shown>;
  readonly registry?: Registry;
  /** Whether the data is on another machine, so that the paths on this one are not checked. Default: no. */
  readonly isElsewhere?: boolean;
}

/**
 * Reads the configuration of a command from the file named by `--config`, or from `aorta.yaml` in `folder` if there is no
 * `--config`. If `aorta.yaml` does not exist, the defaults apply. Relative paths in a file are resolved against the folder
 * of the file. Relative paths on the command line are resolved against `folder`. Throws AORTA-CONFIG-NOT-FOUND if the file
 * named by `--config` does not exist. Throws {@link ConfigurationRefused} with all problems if a section is invalid, or if
 * a variable that the command needs is not set. Throws AORTA-PATH-REFUSED if the location of the data cannot be used.
 */
export function readSetting<Opened extends Section = Section, Shown extends Section = never>(
  options: SettingOptions,
  environment: Environment,
  folder: string,
  { reads = everySection as Reading<never, never>, registry = builtIn, isElsewhere }: HowToRead<Opened, Shown> = {},
): Setting<Opened, Shown> {
  const file = options.content === undefined ? (options.config ?? configurationFile) : 'configuration';
  const text = options.content ?? textOf(resolve(folder, file), file, options.config !== undefined);
  const base = text === undefined ? folder : dirname(resolve(folder, file));
  const here = warehousesHere(registry.warehouses);
  const named = options.warehouse === undefined ? undefined : namedWarehouse(options.warehouse, here, folder);
  if (options.data === '')
    throw new ProgramError('AORTA-USAGE', { problem: '--data is empty', hint: 'Name a folder, or omit --data.' });
  const data = options.data === undefined ? undefined : resolve(folder, options.data);
  const { configuration: read, unread } = parsed({ file, text: text ?? '', environment }, reads, { named, data, base }, registry);
  const { adapter, settings } = warehouseHere(read.warehouse, named === undefined ? here : [named.adapter]);
  const configuration = named === undefined ? read : { ...read, warehouse: settings };
  const warehouse = resolve(base, adapter.onDisk.pathOf(settings));
  // A folder is needed even for Kafka topics: it holds the checkpoints and the redelivery window of this process.
  const streams = adapterOf(registry.streamLogs, configuration.streams).folderOf?.(configuration.streams);
  const configured: DataLocation = {
    streams: streams === undefined ? streamsOf(warehouse, adapter) : resolve(base, streams),
    warehouse,
  };
  const place = placeOf({ place: configured, adapter }, data, named);
  const { problemOf } = adapter.onDisk;
  const opened: readonly Section[] = reads.opens;
  if (opened.includes('streams')) checkPath(place.streams, { kind: 'folder', isElsewhere });
  if (opened.includes('warehouse') && configuration.warehouse.type === adapter.type)
    checkPath(place.warehouse, { kind: 'file', problemOf, isElsewhere });
  return {
    file: text === undefined ? undefined : file,
    path: text === undefined || options.content !== undefined ? undefined : resolve(folder, file),
    configuration: onlyRead(resolvePaths(configuration, base, registry), reads, unread),
    unread,
    place,
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

/** Parses a configuration and returns all sections. Throws {@link ConfigurationRefused} if it is invalid. */
export function parseConfiguration(
  file: string,
  text: string,
  environment: Environment,
  registry: Registry = builtIn,
): Configuration {
  const given = { named: undefined, data: undefined, base: '' };
  return parsed({ file, text, environment }, everySection, given, registry).configuration;
}

interface Content {
  readonly file: string;
  readonly text: string;
  readonly environment: Environment;
}

interface Parsed {
  readonly configuration: Configuration;
  readonly unread: readonly Unread[];
}

function parsed({ file, text, environment }: Content, reads: Reading, given: Given, registry: Registry): Parsed {
  const schema = configurationSchemaOf(registry);
  const { document, problems } = checkedDocument(file, text, environment, schema);
  const { needed, value, unread } = readableSections(document, reads, given, { registry, schema });
  const all = [...problems, ...needed.map(({ error }) => error)];
  if (all.length > 0) throw new ConfigurationRefused(all.toSorted((a, b) => Number(a.details.line) - Number(b.details.line)));
  const { data } = schema.safeParse(value);
  // An adapter may need more than the location of a section. Then its variables are needed, too.
  if (data === undefined) throw new ConfigurationRefused(document.unset.map(({ error }) => error));
  return { configuration: data, unread };
}

/** Returns the sections that a command reads. Another section throws AORTA-BUG, because it may have been left out. */
function onlyRead(configuration: Configuration, { opens, shows = [] }: Reading, unread: readonly Unread[]): Configuration {
  const isRead = (section: Section) => opens.includes(section) || shows.includes(section);
  const isUnread = (section: Section) => unread.some((one) => one.section === section && one.source === undefined);
  const view = Object.fromEntries(
    sections.filter(isRead).map((section) => [section, isUnread(section) ? undefined : configuration[section]]),
  );
  for (const section of sections.filter((one) => !isRead(one)))
    Object.defineProperty(view, section, {
      get: () => {
        throw new AortaError('AORTA-BUG', { place: 'configuration', problem: `section ${section} was not read` });
      },
    });
  return view as Configuration;
}
/** A document and all its problems, except for variables that are not set. */
interface CheckedDocument {
  readonly document: ConfigurationDocument;
  readonly problems: readonly AortaError[];
}

/** Parses a configuration and validates every section. Values that contain an unset variable are not validated. */
function checkedDocument(file: string, text: string, environment: Environment, schema: ConfigurationSchema): CheckedDocument {
  const document = readDocument(file, text, environment);
  // A document that is not YAML cannot be validated further.
  if (document.value === undefined) return { document, problems: document.problems };
  const { error } = validated(document, schema);
  const invalid = error === undefined ? [] : problemsOf(document, error.issues, schema);
  // A malformed variable is reported once, and not also as an invalid value.
  const reported = new Set(document.problems.map(({ details }) => details.field));
  return { document, problems: [...document.problems, ...invalid.filter(({ details }) => !reported.has(details.field))] };
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
  const problem = problemOfBytes(path);
  if (problem !== undefined) throw new ProgramError('AORTA-PATH-REFUSED', { path, problem });
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    if (code !== 'ENOENT') throw new AortaError('AORTA-FILE-UNREADABLE', { file: name, code });
    // A link that leads nowhere must not result in the defaults.
    checkLinks(path);
    if (named) throw new ProgramError('AORTA-CONFIG-NOT-FOUND', { file: name });
    return undefined;
  }
  const text = bytes.toString();
  if (isUtf8(bytes)) return text;
  const before = text.slice(0, text.indexOf('\ufffd')).split('\n');
  const at = { file: name, line: before.length, column: before.at(-1)!.length + 1 };
  throw new ProgramError('AORTA-CONFIG-SYNTAX', { ...at, problem: 'the file is not UTF-8' });
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
