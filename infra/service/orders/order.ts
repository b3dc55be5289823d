import { createHash } from 'node:crypto';
import type { CollectionMethod } from '../labs/laboratories.ts';

/** A row of the table `orders`. */
export interface OrderRow {
  readonly order_id: string;
  readonly transaction_id: string;
  readonly details_id: string;
  readonly team_id: string;
  readonly user_id: string;
  readonly lab_test_id: string;
  readonly method: CollectionMethod;
  readonly request: string;
  readonly is_registrable: number;
  readonly sample_id: string | null;
  readonly has_requisition: number;
  readonly activate_by: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly status: string;
  readonly interpretation: string | null;
  readonly wanted: string;
}

/** Returns 32 bytes that belong to a text, such as the id of an order. They decide what the order does by itself. */
export function bytesOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Returns the id of the sample of an order: ten digits, which fit on a label. */
export function sampleIdOf(order: string): string {
  return String(bytesOf(`sample ${order}`).readUIntBE(0, 6) % 1e10).padStart(10, '0');
}
