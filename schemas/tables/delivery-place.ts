import type { Receipt, StreamName } from '../streams/streams.generated.ts';
import type { TableDeclaration } from './declaration.ts';

/** The values of `source_partition` and `source_offset` in `deliveries`. */
export interface DeliveryPlace {
  readonly partition: string;
  readonly offset: number;
}

/**
 * Returns the place that identifies a delivery in tables with one row per delivery. For a broker and a file, it is the partition
 * and the offset. The sender of a webhook repeats a message until it receives the answer, so the intake log may hold a message
 * several times. Its id and the CRC-32 of its body identify it. If the redelivery window has recognized a repeated message, that
 * delivery has a row of its own, under its place in the intake log.
 */
export function deliveryPlace(stream: StreamName, receipt: Receipt): DeliveryPlace {
  const { delivery_id: id, body_crc32: offset, arrived_at } = receipt;
  return stream === 'redelivered' || arrived_at === null || id === null ? receipt : { partition: id, offset };
}

/** Returns whether a table has one row per delivery, and so identifies its rows by {@link deliveryPlace}. */
export function hasRowPerDelivery({ key }: Pick<TableDeclaration, 'key'>): boolean {
  return key.includes('_offset');
}
