import type { Warehouse, WarehouseReader } from '@aorta/connectors';
import fc from 'fast-check';

/** A warehouse to test, which can be opened again after it is closed. */
export interface WarehouseUnderTest {
  /** Opens the warehouse as a new process would, with the positions and landed batches of the previous process. */
  open(): Promise<Warehouse>;
  read(): Promise<WarehouseReader>;
  remove(): Promise<void>;
}

/** Ends the search for a smaller counterexample before the time limit of the test, which would hide the failure. */
export const endsBeforeTestLimit = () => fc.interruptAfterTimeLimit(300_000, { failOnInterrupt: true });
