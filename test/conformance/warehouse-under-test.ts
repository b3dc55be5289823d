import type { Warehouse, WarehouseReader } from '@aorta/connectors';

/** A warehouse to test, and how to get at it again. */
export interface WarehouseUnderTest {
  /** Opens it, as a new process would: positions and landed batches are what the last one left. */
  open(): Promise<Warehouse>;
  read(): Promise<WarehouseReader>;
  remove(): Promise<void>;
}
