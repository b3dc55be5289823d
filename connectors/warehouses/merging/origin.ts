import { createHash } from 'node:crypto';
import {
  type DeliveryPlace,
  deliveryPlace,
  hasRowPerDelivery,
  type Receipt,
  type StreamName,
  type TableDeclaration,
} from '@aorta/schemas';

const known = new Map<string, bigint>();

/**
 * Computes a row's `_origin`. It hashes source and partition, separated by a NUL, with SHA-256 and returns the first 64 bits as a
 * signed integer.
 */
export function originOf(source: string, partition: string): bigint {
  const name = `${source}\0${partition}`;
  let origin = known.get(name);
  if (origin === undefined) {
    origin = createHash('sha256').update(name).digest().readBigInt64BE(0);
    // Each plain event file is its own partition, so there are many names. Clearing the cache only costs a few hashes.
    if (known.size >= 10_000) known.clear();
    known.set(name, origin);
  }
  return origin;
}

/** Returns a function that returns the place from which `_origin` and `_offset` of a stream's rows are computed. */
export function placeIn(stream: StreamName, table: TableDeclaration | undefined): (receipt: Receipt) => DeliveryPlace {
  const perDelivery = table !== undefined && hasRowPerDelivery(table);
  return perDelivery ? (receipt) => deliveryPlace(stream, receipt) : (receipt) => receipt;
}
