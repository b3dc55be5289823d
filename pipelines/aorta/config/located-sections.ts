import { resolve } from 'node:path';
import type { Registry } from '@aorta/connectors/registry';
import { isObject, type JsonObject } from '@aorta/schemas';
import {
  type DataLocation,
  type NamedWarehouse,
  placeOf,
  streamsOf,
  type WarehouseHere,
  warehousesHere,
} from './data-location.ts';
import type { ConfigurationDocument, UnsetVariable } from './document.ts';
import type { Section } from './schema.ts';

/** A command needs whole sections of a configuration, or only the location of the streams. */
export type Need = Section | 'streams.folder';

/** The locations that the command line sets in place of the configured ones, with absolute paths. */
interface Given {
  readonly named: NamedWarehouse | undefined;
  readonly data: string | undefined;
  /** The folder of the configuration file. */
  readonly base: string;
}

interface LocatedSection {
  /** The type, if an adapter has it. */
  readonly type: string | undefined;
  /** The field that contains the location, if the section has it. */
  readonly field: string | undefined;
  /** The text of that field. It may contain unset variables. */
  readonly location: string | undefined;
}

/** The sections that contain the location of the data, which the command line can replace. */
export class LocatedSections {
  readonly #unset: readonly UnsetVariable[];
  readonly #given: Given;
  readonly #warehouses: readonly WarehouseHere[];
  readonly #warehouse: LocatedSection;
  readonly #streams: LocatedSection;

  constructor({ unset, value }: ConfigurationDocument, given: Given, { warehouses, streamLogs }: Registry) {
    const { warehouse, streams } = isObject(value) ? value : ({} as JsonObject);
    this.#unset = unset;
    this.#given = given;
    this.#warehouses = warehousesHere(warehouses);
    this.#warehouse = locatedSection(warehouse, warehouses, ({ onDisk }) => onDisk?.field);
    this.#streams = locatedSection(streams, streamLogs, ({ folderField }) => folderField);
  }

  /** The type named on the command line, if the configuration has another one. It replaces all settings of the warehouse. */
  get otherType(): string | undefined {
    const { type } = this.#warehouse;
    const named = this.#given.named?.adapter.type;
    return type === undefined || type === named ? undefined : named;
  }

  /** The adapter of the warehouse at {@link place}: the configured one if it is on this machine, otherwise the default. */
  get adapter(): WarehouseHere {
    const configured = this.#warehouses.find(({ type }) => type === this.#warehouse.type);
    return this.#given.named?.adapter ?? configured ?? this.#warehouses[0]!;
  }

  /** The location of the data. It is wrong if a variable of `streams.folder` or of the warehouse is not set. */
  get place(): DataLocation {
    const { adapter } = this;
    const { base, data, named } = this.#given;
    const own = this.#warehouse.type === adapter.type ? this.#warehouse.location : undefined;
    const warehouse = resolve(base, own ?? defaultPath(adapter));
    // A folder is needed even for Kafka topics: it holds the checkpoints and the redelivery window of this process.
    const { location } = this.#streams;
    const streams = location === undefined ? streamsOf(warehouse, adapter) : resolve(base, location);
    return placeOf({ place: { streams, warehouse }, adapter }, data, named);
  }

  /** Returns the unset variables that a command needs, in the order of the file. */
  unset(...needs: readonly Need[]): readonly UnsetVariable[] {
    const needed = new Set(needs.flatMap((need) => this.#unsetIn(need)));
    return this.#unset.filter((variable) => needed.has(variable));
  }

  #unsetIn(need: Need): readonly UnsetVariable[] {
    if (need === 'streams.folder') return this.#unsetInFolder();
    const unset = this.#unset.filter(({ path }) => path[0] === need);
    const { named, data } = this.#given;
    if (need === 'streams') return [...unset.filter((variable) => !this.#isLocation(variable)), ...this.#unsetInFolder()];
    if (need !== 'warehouse' || (named === undefined && data === undefined)) return unset;
    return this.otherType === undefined ? unset.filter((variable) => !this.#isLocation(variable)) : [];
  }

  /** Returns the unset variables that determine the folder of the streams. By default, the folder is next to the warehouse. */
  #unsetInFolder(): readonly UnsetVariable[] {
    const { named, data, base } = this.#given;
    if (data !== undefined) return [];
    const unset = this.#unset.filter((variable) => this.#isLocation(variable) || isType(variable));
    const ofStreams = unset.filter(({ path }) => path[0] === 'streams');
    if (this.#streams.field === undefined) return named === undefined ? unset : ofStreams;
    if (named === undefined) return ofStreams;
    // A configured folder belongs to the configured warehouse, which may be the named one.
    if (ofStreams.length < unset.length) return unset;
    const path = this.#warehouse.location ?? defaultPath(named.adapter);
    return resolve(base, path) === named.path ? ofStreams : [];
  }

  #isLocation({ path: [section, field, ...inner] }: UnsetVariable): boolean {
    if (inner.length > 0 || field === undefined) return false;
    return (
      (section === 'warehouse' && field === this.#warehouse.field) || (section === 'streams' && field === this.#streams.field)
    );
  }
}

/** Returns whether a variable determines the type of the warehouse or of the streams. */
function isType({ path: [section, field] }: UnsetVariable): boolean {
  return (section === 'warehouse' || section === 'streams') && (field === undefined || field === 'type');
}

function locatedSection<Adapter extends { readonly type: string }>(
  value: unknown,
  adapters: readonly Adapter[],
  fieldOf: (adapter: Adapter) => string | undefined,
): LocatedSection {
  const raw = isObject(value) ? value : {};
  const adapter = adapters.find(({ type }) => type === (raw.type ?? (value === undefined ? adapters[0]?.type : undefined)));
  const field = adapter === undefined ? undefined : fieldOf(adapter);
  const location = field === undefined ? undefined : raw[field];
  const isGiven = typeof location === 'string';
  return { type: adapter?.type, field: isGiven ? field : undefined, location: isGiven ? location : undefined };
}

/** Returns the path that a warehouse of this type has by default. */
function defaultPath({ type, options, onDisk }: WarehouseHere): string {
  const settings: Readonly<Record<string, unknown>> = { ...options.parse({ type }) };
  return String(settings[onDisk.field]);
}
