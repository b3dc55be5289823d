import type { Warehouse, WarehouseReader } from '@aorta/connectors';

/** A warehouse to test, which can be opened again after it is closed. */
export interface WarehouseUnderTest {
  /** Opens the warehouse as a new process would, with the positions and landed batches of the previous process. */
  open(): Promise<Warehouse>;
  read(): Promise<WarehouseReader>;
  remove(): Promise<void>;
}
