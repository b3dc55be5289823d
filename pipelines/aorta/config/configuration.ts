import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { builtIn, type Registry } from '@aorta/connectors/registry';
import { AortaError } from '@aorta/runtime';
import type { z } from 'zod';
import { type Call, callOf } from '../cli/printing/command-lines.ts';
import { ConfigurationRefused, ProgramError } from '../errors.ts';
import { type DataLocation, namedWarehouse, type PlaceOptions, warehousesHere } from './data-location.ts';
import { type ConfigurationDocument, type Environment, type Path, readDocument, type UnsetVariable } from './document.ts';
import { LocatedSections, type Need } from './located-sections.ts';
import { problemsOf } from './problems.ts';
import { type Configuration, type ConfigurationSchema, configurationSchemaOf, type Section, sections } from './schema.ts';
import { Sections, type Unread } from './sections.ts';
import { checkLinks, checkPath, problemOfBytes } from './usable-path.ts';

/** The file that is read if `--config` is not given. */
const configurationFile = 'aorta.yaml';

/** The configuration of a command, and the location of its data. */
export interface Setting<Needed extends Section = Section> {
  /** The file that was read, as the user named it; undefined if there was no file and the defaults apply. */
  readonly file: string | undefined;
  /** The absolute path of that file; undefined if there was none, or if its content was given. */
  readonly path: string | undefined;
  /** The sections that the command needs. A section throws {@link ConfigurationRefused} if one of its variables is not set. */
  readonly configuration: Pick<Configuration, Needed>;
  /** The sections that the command can do without. See {@link Sections.readable}. */
  readonly readable: Partial<Configuration>;
  /** The sections and sources that `readable` does not have, because their variables are not set. */
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
interface HowToRead<Needed extends Need> {
  /** The sections that the command cannot do without. Default: all. */
  readonly needs?: readonly Needed[];
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
export function readSetting<Needed extends Need = Section>(
  options: SettingOptions,
  environment: Environment,
  folder: string,
  { needs, registry = builtIn, isElsewhere }: HowToRead<Needed> = {},
): Setting<Exclude<Needed, 'streams.folder'>> {
  const file = options.content === undefined ? (options.config ?? configurationFile) : 'configuration';
  const text = options.content ?? textOf(resolve(folder, file), file, options.config !== undefined);
  const base = text === undefined ? folder : dirname(resolve(folder, file));
  const here = warehousesHere(registry.warehouses);
  const named = options.warehouse === undefined ? undefined : namedWarehouse(options.warehouse, here, folder);
  if (options.data === '')
    throw new ProgramError('AORTA-USAGE', { problem: '--data is empty', hint: 'Name a folder, or omit --data.' });
  const data = options.data === undefined ? undefined : resolve(folder, options.data);
  const schema = configurationSchemaOf(registry);
  const { document, problems } = checkedDocument(file, text ?? '', environment, schema);
  const located = new LocatedSections(document, { named, data, base }, registry);
  const needed: readonly Need[] = needs ?? sections;
  refuse(problems, located.unset(...needed));
  const { all, readable, unread } = new Sections(document, located, { schema, registry, base });
  const { place, adapter } = located;
  const { problemOf } = adapter.onDisk;
  if (needed.includes('streams')) checkPath(place.streams, { kind: 'folder', isElsewhere });
  if (needed.includes('warehouse') && all.warehouse.type === adapter.type)
    checkPath(place.warehouse, { kind: 'file', problemOf, isElsewhere });
  return {
    file: text === undefined ? undefined : file,
    path: text === undefined || options.content !== undefined ? undefined : resolve(folder, file),
    configuration: all,
    readable,
    unread,
    place,
    registry,
    call: callOf(options, environment),
  };
}

/** Parses a configuration and returns all sections. Throws {@link ConfigurationRefused} if it is invalid. */
export function parseConfiguration(
  file: string,
  text: string,
  environment: Environment,
  registry: Registry = builtIn,
): Configuration {
  const schema = configurationSchemaOf(registry);
  const { document, problems } = checkedDocument(file, text, environment, schema);
  refuse(problems, document.unset);
  return schema.parse(document.value);
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

function refuse(problems: readonly AortaError[], unset: readonly UnsetVariable[]): void {
  const all = [...problems, ...unset.map(({ error }) => error)];
  if (all.length > 0) throw new ConfigurationRefused(all.toSorted((a, b) => Number(a.details.line) - Number(b.details.line)));
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
