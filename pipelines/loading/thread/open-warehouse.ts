import type { Ownership, StreamLogAdapter, Warehouse, WarehouseAdapter } from '@aorta/connectors';
import type { Logger, Metrics, StepObserver } from '@aorta/runtime';
import { deliveries, tables } from '@aorta/schemas';
import { MERGES, mergerId } from '../names.ts';
import type { ThreadWork } from './messages.ts';

interface Observed {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly onStep?: StepObserver;
}

/** Opens the configured warehouse. Imports the adapter's module from its address. */
export async function openWarehouse(
  { warehouse: { address, ...configured }, streams }: Pick<ThreadWork, 'warehouse' | 'streams'>,
  observed: Observed,
): Promise<Warehouse> {
  const { warehouse: adapter } = (await import(address)) as { readonly warehouse: WarehouseAdapter };
  const { open } = await adapter.load();
  const { settings } = configured;
  const opening = { ...configured, ...observed };
  if (!adapter.isShared?.(settings)) return open(opening);
  const { streamLog } = (await import(streams.address)) as { readonly streamLog: StreamLogAdapter };
  const { own } = await streamLog.load();
  // If the streams are not shared, a single worker reads them and merges every table.
  if (own === undefined) return open(opening);
  let warehouse: Warehouse | undefined;
  let owned: ReadonlySet<string> = new Set();
  let ownership: Ownership | undefined;
  const look = (): void => {
    owned = new Set(ownership?.owned().map(({ name }) => name));
  };
  const merger = { ...streams, clientId: mergerId(streams.clientId) };
  await using held = new AsyncDisposableStack();
  ownership = held.adopt(
    await own(merger, {
      work: MERGES,
      shares: [...tables, deliveries].map(({ name }) => name),
      onChange: look,
      onRelease: async () => {
        look();
        await warehouse?.settled?.();
      },
    }),
    (one) => one.close(),
  );
  look();
  warehouse = await open({ ...opening, owns: (target) => owned.has(target) });
  const close = warehouse.close.bind(warehouse);
  const opened = held.move();
  warehouse.close = async () => {
    await close();
    await opened.disposeAsync();
  };
  return warehouse;
}
