import { resolve } from 'node:path';
import type { AdapterSettings } from '@aorta/connectors';
import type { Registry } from '@aorta/connectors/registry';
import type { AortaError } from '@aorta/runtime';
import { isObject, type JsonObject } from '@aorta/schemas';
import type { NamedWarehouse } from './data-location.ts';
import { type ConfigurationDocument, fieldName, holdsUnset, type UnsetVariable } from './document.ts';
import { type ConfigurationSchema, type Reading, type Section, sections } from './schema.ts';
import { defaultAt, valueAt } from './schema-at.ts';

/** A section, or a source, that was not read because its variables are not set. */
export interface Unread {
  readonly section: Section;
  /** Name of the source, or its field, such as `sources[0]`, if the name is not known. */
  readonly source?: string;
  /** One error for each variable. */
  readonly errors: readonly AortaError[];
}

/** The part of a document that a command can read. */
export interface ReadableSections {
  /** The variables that the command needs, but that are not set. */
  readonly needed: readonly UnsetVariable[];
  /** The value of the document, without the sections and sources that cannot be read. Their locations remain. */
  readonly value: unknown;
  readonly unread: readonly Unread[];
}

/** The locations that the command line sets in place of the configured ones, with absolute paths. */
export interface Given {
  readonly named: NamedWarehouse | undefined;
  readonly data: string | undefined;
  /** The folder of the configuration file. */
  readonly base: string;
}

/** Returns what a command can read of a document, and which of its variables are missing. */
export function readableSections(
  document: ConfigurationDocument,
  { opens, shows = [] }: Reading,
  given: Given,
  { registry, schema }: { readonly registry: Registry; readonly schema: ConfigurationSchema },
): ReadableSections {
  const root = isObject(document.value) ? document.value : {};
  const located = new Located(document, root, given, registry);
  const isNeeded = new Set(opens.flatMap((section) => located.needsOf(section)));
  if ([...opens, ...shows].includes('streams')) for (const variable of located.needsOfFolder()) isNeeded.add(variable);
  const needed = document.unset.filter((variable) => isNeeded.has(variable));
  const absent = sections.filter((section) => located.needsOf(section).length > 0);
  const value: Record<string, unknown> = { ...root, ...located.values() };
  for (const section of absent) if (section !== 'warehouse' && section !== 'streams') value[section] = undefined;
  const entries = Array.isArray(root.sources) ? root.sources : undefined;
  if (entries !== undefined) value.sources = entries.filter((_, index) => errorsOfSource(index).length === 0);
  const unread = shows.flatMap((section): Unread[] => {
    if (section === 'sources' && entries !== undefined)
      return [...entries.keys()].flatMap((index) => {
        const errors = errorsOfSource(index);
        return errors.length === 0 ? [] : [{ section, source: nameOf(index), errors }];
      });
    return absent.includes(section) ? [{ section, errors: located.needsOf(section).map(({ error }) => error) }] : [];
  });
  return { needed, value, unread };

  /** Returns an error for each unset variable of a source, and of the streams if the source takes settings from them. */
  function errorsOfSource(index: number): AortaError[] {
    const { type } = isObject(entries?.[index]) ? entries[index] : {};
    const takesStreams = registry.sources.some((adapter) => adapter.type === type && adapter.withStreams !== undefined);
    return [
      ...located.needsOf('sources').filter(({ path }) => path[1] === index),
      ...(takesStreams ? located.needsOf('streams') : []),
    ].map(({ error }) => error);
  }

  function nameOf(index: number): string {
    const path = ['sources', index, 'name'];
    const name = valueAt(root, path) ?? defaultAt(schema, path, root);
    return typeof name === 'string' && !holdsUnset(document, path) ? name : fieldName(path.slice(0, -1));
  }
}

/** The sections that contain the location of the data, which the command line can replace. */
class Located {
  readonly #unset: ConfigurationDocument['unset'];
  readonly #given: Given;
  readonly #warehouse: LocatedSection;
  readonly #streams: LocatedSection;

  constructor(
    { unset }: ConfigurationDocument,
    { warehouse, streams }: JsonObject,
    given: Given,
    { warehouses, streamLogs }: Registry,
  ) {
    this.#unset = unset;
    this.#given = given;
    this.#warehouse = locatedSection(warehouse, warehouses, ({ onDisk }) => onDisk?.pathOf);
    this.#streams = locatedSection(streams, streamLogs, ({ folderOf }) => folderOf);
  }

  /** Returns the unset variables in a section, except for those that the command line replaces. */
  needsOf(section: Section): UnsetVariable[] {
    const unset = this.#unset.filter(({ path }) => path[0] === section);
    const { named, data } = this.#given;
    if (section === 'streams') {
      const needed = this.needsOfFolder();
      return unset.filter((variable) => !this.#isLocation(variable) || needed.includes(variable));
    }
    if (section !== 'warehouse' || (named === undefined && data === undefined)) return unset;
    const { type } = this.#warehouse;
    // Another type of warehouse replaces all settings. A different path keeps the other settings.
    if (named !== undefined && type !== undefined && type !== named.adapter.type) return [];
    return unset.filter((variable) => !this.#isLocation(variable));
  }

  /** Returns the unset variables that determine the folder of the streams. By default, the folder is next to the warehouse. */
  needsOfFolder(): UnsetVariable[] {
    const { named, data, base } = this.#given;
    if (data !== undefined) return [];
    const unset = this.#unset.filter((variable) => this.#isLocation(variable) || this.#isType(variable));
    const ofStreams = unset.filter(({ path }) => path[0] === 'streams');
    if (named === undefined) return this.#streams.field === undefined ? unset : ofStreams;
    // A configured folder belongs to the configured warehouse, which may be the named one.
    if (this.#streams.field === undefined) return ofStreams;
    if (ofStreams.length < unset.length) return unset;
    const { field, raw } = this.#warehouse;
    const path = field === undefined ? defaultPath(named) : String(raw[field]);
    return resolve(base, path) === named.path ? ofStreams : [];
  }

  /**
   * Returns the sections that have an unset variable. Only their type and their location on this machine remain. If the
   * variable is only in the location, the section stays as it is, because the location is replaced or not needed.
   */
  values(): JsonObject {
    const values = { warehouse: this.#warehouse, streams: this.#streams };
    const changed = Object.entries(values).filter(([section]) =>
      this.#unset.some((variable) => variable.path[0] === section && !this.#isLocation(variable)),
    );
    const locationOf = ({ raw, type, field }: LocatedSection) =>
      field === undefined ? undefined : { type, [field]: raw[field] };
    return Object.fromEntries(changed.map(([section, one]) => [section, locationOf(one)]));
  }

  #isLocation({ path: [section, field, ...inner] }: UnsetVariable): boolean {
    if (inner.length > 0 || field === undefined) return false;
    return (
      (section === 'warehouse' && field === this.#warehouse.field) || (section === 'streams' && field === this.#streams.field)
    );
  }

  /** Returns whether the type of the warehouse or of the streams is not known. */
  #isType({ path: [section, field] }: UnsetVariable): boolean {
    return (section === 'warehouse' || section === 'streams') && (field === undefined || field === 'type');
  }
}

interface LocatedSection {
  readonly raw: JsonObject;
  /** The type, if an adapter has it. */
  readonly type: string | undefined;
  /** Name of the field that contains the location, if the section has it. */
  readonly field: string | undefined;
}

/** A value that no configuration contains. It shows which field an adapter reads as the location. */
const PROBE = '\u0000';

function locatedSection<Adapter extends { readonly type: string }>(
  value: unknown,
  adapters: readonly Adapter[],
  locationIn: (adapter: Adapter) => ((settings: AdapterSettings) => string | undefined) | undefined,
): LocatedSection {
  const raw = isObject(value) ? value : {};
  const adapter = adapters.find(({ type }) => type === (raw.type ?? (value === undefined ? adapters[0]?.type : undefined)));
  if (adapter === undefined) return { raw, type: undefined, field: undefined };
  const { type } = adapter;
  const field = Object.keys(raw).find((name) => locationIn(adapter)?.({ ...raw, type, [name]: PROBE }) === PROBE);
  return { raw, type, field };
}

/** Returns the path that a warehouse of this type has by default. */
function defaultPath({ adapter }: NamedWarehouse): string {
  return adapter.onDisk.pathOf(adapter.options.parse({ type: adapter.type }));
}
