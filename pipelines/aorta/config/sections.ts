import type { SourceSettings } from '@aorta/connectors';
import { adapterOf, type Registry } from '@aorta/connectors/registry';
import type { AortaError } from '@aorta/runtime';
import { isObject, type JsonObject } from '@aorta/schemas';
import { ConfigurationRefused } from '../errors.ts';
import { type ConfigurationDocument, fieldName, holdsUnset } from './document.ts';
import type { LocatedSections } from './located-sections.ts';
import { type Configuration, type ConfigurationSchema, type Section, sections } from './schema.ts';
import { defaultAt, valueAt } from './schema-at.ts';

/** A section, or a source, with variables that are not set. */
export interface Unread {
  readonly section: Section;
  /** Name of the source, or its field, such as `sources[0]`, if the name is not known. */
  readonly source?: string;
  /** One error for each variable. */
  readonly errors: readonly AortaError[];
}

/** How {@link Sections} reads a document. */
interface Surroundings {
  readonly schema: ConfigurationSchema;
  readonly registry: Registry;
  /** Base folder for relative paths. */
  readonly base: string;
}

/** The sections of a validated document. A section is parsed when it is first asked for. */
export class Sections {
  /** All sections. A section throws {@link ConfigurationRefused} if one of its variables is not set. */
  readonly all = lazily((section) => this.#parse(section));
  /** The sections without unset variables; the others are undefined. `sources` has the sources without unset variables. */
  readonly readable: Partial<Configuration> = lazily((section) => this.#parseReadable(section));
  readonly #document: ConfigurationDocument;
  readonly #located: LocatedSections;
  readonly #surroundings: Surroundings;
  readonly #values: JsonObject;

  constructor(document: ConfigurationDocument, located: LocatedSections, surroundings: Surroundings) {
    const values = isObject(document.value) ? document.value : {};
    const { otherType } = located;
    this.#located = located;
    this.#document = document;
    this.#surroundings = surroundings;
    this.#values = otherType === undefined ? values : { ...values, warehouse: { type: otherType } };
  }

  /** The sections and sources that {@link readable} does not have. */
  get unread(): readonly Unread[] {
    const { sources } = this.#values;
    const all = sections.flatMap((section): Unread[] => {
      if (section !== 'sources' || !Array.isArray(sources)) return [{ section, errors: this.#errorsIn(section) }];
      return sources.map((_, index) => ({ section, source: this.#nameOf(index), errors: this.#errorsInSource(index) }));
    });
    return all.filter(({ errors }) => errors.length > 0);
  }

  #parse(section: Section): unknown {
    const { schema, registry, base } = this.#surroundings;
    const errors = this.#errorsIn(section);
    if (errors.length > 0) throw new ConfigurationRefused(errors);
    if (section === 'sources') return this.#parseSources(this.#values.sources);
    const { data, error } = schema.shape[section].safeParse(this.#values[section]);
    // An adapter may refuse the unset variable of a location, even though the command line replaces the location.
    if (error !== undefined) throw new ConfigurationRefused(this.#document.unset.map((variable) => variable.error));
    if (section !== 'warehouse') return data;
    const warehouse = data as Configuration['warehouse'];
    return adapterOf(registry.warehouses, warehouse).resolvePaths?.(warehouse, base) ?? warehouse;
  }

  #parseReadable(section: Section): unknown {
    const { sources } = this.#values;
    if (section === 'sources' && Array.isArray(sources))
      return this.#parseSources(sources.filter((_, index) => this.#errorsInSource(index).length === 0));
    return this.#errorsIn(section).length === 0 ? this.all[section] : undefined;
  }

  #parseSources(entries: unknown): readonly SourceSettings[] {
    const { schema, registry, base } = this.#surroundings;
    return schema.shape.sources.parse(entries).map((source) => {
      const adapter = adapterOf(registry.sources, source);
      const resolved = adapter.resolvePaths?.(source, base) ?? source;
      return adapter.withStreams === undefined ? resolved : adapter.withStreams(resolved, this.all.streams);
    });
  }

  /** Returns an error for each unset variable of a section. */
  #errorsIn(section: Section): readonly AortaError[] {
    return this.#located.unset(section).map(({ error }) => error);
  }

  /** Returns an error for each unset variable of a source, and of the streams if the source takes settings from them. */
  #errorsInSource(index: number): readonly AortaError[] {
    const located = this.#located;
    const { registry } = this.#surroundings;
    const type = valueAt(this.#values, ['sources', index, 'type']);
    const takesStreams = registry.sources.some((adapter) => adapter.type === type && adapter.withStreams !== undefined);
    const own = located.unset('sources').filter(({ path }) => path[1] === index);
    return [...own, ...(takesStreams ? located.unset('streams') : [])].map(({ error }) => error);
  }

  #nameOf(index: number): string {
    const path = ['sources', index, 'name'];
    const name = valueAt(this.#values, path) ?? defaultAt(this.#surroundings.schema, path, this.#values);
    return typeof name === 'string' && !holdsUnset(this.#document, path) ? name : fieldName(path.slice(0, -1));
  }
}

/** Returns an object whose members are computed when they are first read. */
function lazily(parse: (section: Section) => unknown): Configuration {
  const values = new Map<Section, unknown>();
  const get = (section: Section) => () => {
    if (!values.has(section)) values.set(section, parse(section));
    return values.get(section);
  };
  const members = sections.map((section) => [section, { enumerable: true, get: get(section) }]);
  return Object.defineProperties({}, Object.fromEntries(members)) as Configuration;
}
