import { type AmqpCondition, entityNotFound, partitionOutOfRange } from './conditions.ts';
import type { Hub } from './hub.ts';
import type { PartitionLog } from './partition-log.ts';

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
export interface ReceiveEntity {
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
