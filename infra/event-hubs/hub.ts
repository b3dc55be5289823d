import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AmqpCondition, entityNotFound, partitionOutOfRange } from './conditions.ts';
import { PartitionLog } from './partition-log.ts';

export interface HubDeclaration {
  readonly name: string;
  readonly partitions: number;
  /** consumer groups in addition to `$Default` */
  readonly groups?: readonly string[];
  /** whether the hub reports that it is replicated to a second region. The offsets of such a hub are not numbers */
  readonly geoReplicated?: boolean;
}

const entityName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,254}[A-Za-z0-9])?$/;

/** The content of `hub.json` in a hub's folder. */
interface HubFile {
  readonly created: string;
  readonly partitions: number;
}

export class Hub {
  readonly name: string;
  readonly partitions: readonly PartitionLog[];
  #groups: readonly string[];
  readonly geoReplicated: boolean;
  /** Whether the hub is deleted from the clients' point of view. Its events are kept. */
  deleted = false;
  #created: Date;
  readonly #folder: string | undefined;
  #turn = 0;

  /**
   * If a folder is given, opens the hub that is stored in the folder, or creates it there. Throws {@link RangeError} if a
   * name or a number is invalid.
   */
  constructor(declaration: HubDeclaration, folder?: string) {
    const { name, partitions, groups = [], geoReplicated = false } = declaration;
    if (!entityName.test(name)) throw new RangeError(`${name} is not a valid hub name`);
    if (!Number.isInteger(partitions) || partitions < 1 || partitions > 2048)
      throw new RangeError(`${name} must have 1 to 2048 partitions`);
    this.name = name;
    this.#groups = ['$Default', ...groups.filter((group) => group.toLowerCase() !== '$default')];
    this.geoReplicated = geoReplicated;
    this.#folder = folder === undefined ? undefined : join(folder, name.toLowerCase());
    this.#created = this.#open(partitions);
    this.partitions = Array.from(
      { length: partitions },
      (_, index) => new PartitionLog(String(index), this.#folder && join(this.#folder, `${index}.log`), geoReplicated),
    );
  }

  #open(partitions: number): Date {
    if (this.#folder === undefined) return new Date();
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    let known: HubFile | undefined;
    try {
      known = JSON.parse(readFileSync(join(this.#folder, 'hub.json'), 'utf8')) as HubFile;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    if (known !== undefined && known.partitions > partitions)
      throw new RangeError(
        `${this.name} already has ${known.partitions} partitions in ${this.#folder}; it cannot have ${partitions}`,
      );
    const created = known === undefined ? new Date() : new Date(known.created);
    this.#note({ created: created.toISOString(), partitions });
    return created;
  }

  #note(file: HubFile): void {
    if (this.#folder !== undefined) writeFileSync(join(this.#folder, 'hub.json'), `${JSON.stringify(file)}\n`, { mode: 0o600 });
  }

  get created(): Date {
    return this.#created;
  }

  partition(id: string): PartitionLog | undefined {
    return this.partitions.find((partition) => partition.id === id);
  }

  get groups(): readonly string[] {
    return this.#groups;
  }

  /** Deletes a consumer group. Throws {@link RangeError} if it is `$Default` or does not exist. */
  deleteGroup(name: string): void {
    if (name.toLowerCase() === '$default' || !this.hasGroup(name))
      throw new RangeError(`the consumer group ${name} cannot be deleted`);
    this.#groups = this.#groups.filter((group) => group.toLowerCase() !== name.toLowerCase());
  }

  createGroup(name: string): void {
    if (!this.hasGroup(name)) this.#groups = [...this.#groups, name];
  }

  hasGroup(name: string): boolean {
    return this.groups.some((group) => group.toLowerCase() === name.toLowerCase());
  }

  /** Returns the next partition in round-robin order, for events that have neither a partition nor a key. */
  nextPartition(): PartitionLog {
    return this.partitions[this.#turn++ % this.partitions.length]!;
  }

  /** Empties the hub, as if it had been deleted and created again. */
  recreate(): void {
    for (const partition of this.partitions) partition.recreate();
    this.#created = new Date();
    this.#note({ created: this.#created.toISOString(), partitions: this.partitions.length });
  }

  close(): void {
    for (const partition of this.partitions) partition.close();
  }
}

/** Hubs by lower-case name. Names are case-insensitive. */
export type Hubs = ReadonlyMap<string, Hub>;

export function hubNamed(hubs: Hubs, name: string): Hub | undefined {
  const hub = hubs.get(name.toLowerCase());
  return hub?.deleted === true ? undefined : hub;
}

/** The target of a sending link: a hub or a partition. */
export interface SendEntity {
  readonly hub: Hub;
  readonly partition: PartitionLog | undefined;
}

/** The source of a receiving link: a partition and the consumer group that reads it. */
interface ReceiveEntity {
  readonly hub: Hub;
  /** name of the consumer group in lower case */
  readonly group: string;
  readonly partition: PartitionLog;
}

type Found<Entity> = { readonly entity: Entity } | { readonly refused: AmqpCondition };

/** Finds the hub or partition that an address such as `hub` or `hub/Partitions/0` names. */
export function sendEntity(hubs: Hubs, address: string): Found<SendEntity> {
  const match = /^([^/]+)(?:\/Partitions\/([^/]+))?$/i.exec(address);
  const hub = match === null ? undefined : hubNamed(hubs, match[1]!);
  if (hub === undefined) return { refused: entityNotFound(address) };
  const id = match![2];
  if (id === undefined) return { entity: { hub, partition: undefined } };
  const partition = hub.partition(id);
  return partition === undefined ? { refused: partitionOutOfRange(hub.partitions.length) } : { entity: { hub, partition } };
}

/** Finds the consumer group and partition that an address such as `hub/ConsumerGroups/$Default/Partitions/0` names. */
export function receiveEntity(hubs: Hubs, address: string): Found<ReceiveEntity> {
  const match = /^([^/]+)\/ConsumerGroups\/([^/]+)\/Partitions\/([^/]+)$/i.exec(address);
  const hub = match === null ? undefined : hubNamed(hubs, match[1]!);
  if (hub === undefined || !hub.hasGroup(match![2]!)) return { refused: entityNotFound(address) };
  const partition = hub.partition(match![3]!);
  return partition === undefined
    ? { refused: partitionOutOfRange(hub.partitions.length) }
    : { entity: { hub, group: match![2]!.toLowerCase(), partition } };
}
