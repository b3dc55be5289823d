import { deliveries, tables } from '@aorta/schemas';
import { type Ownership, openKafkaOwnership } from '@aorta/streams';
import type { Logger, Metrics, StepObserver } from '@aorta/telemetry';
import type { Warehouse } from '@aorta/warehouse';
import { MERGES, mergerId } from '../jobs.ts';
import type { ThreadWarehouse, ThreadWork } from './messages.ts';

interface Observed {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly onStep?: StepObserver;
}

/** The warehouse of a configuration, and how it is closed. A dialect's library is loaded by those alone who have it. */
export async function openWarehouse(
  { warehouse: place, streams }: Pick<ThreadWork, 'warehouse' | 'streams'>,
  observed: Observed,
): Promise<Warehouse> {
  if (!isBigQuery(place)) {
    const { openDuckDbWarehouse } = await import('@aorta/warehouse/duckdb');
    return openDuckDbWarehouse({ ...place, ...observed });
  }
  const { openBigQueryWarehouse } = await import('@aorta/warehouse/bigquery');
  if (typeof streams === 'string' || place.workers === 1) return openBigQueryWarehouse({ ...place, ...observed });
  // Of several workers one merges into a table: whom the brokers give its share.
  let warehouse: Warehouse | undefined;
  let owned: ReadonlySet<string> = new Set();
  let ownership: Ownership | undefined;
  const look = (): void => {
    owned = new Set(ownership?.owned().map(({ name }) => name));
  };
  ownership = await openKafkaOwnership({
    settings: streams.kafka,
    clientId: mergerId(streams.clientId),
    work: MERGES,
    shares: [...tables, deliveries].map(({ name }) => name),
    onChange: look,
    onRelease: async () => {
      look();
      await warehouse?.settled?.();
    },
  });
  look();
  try {
    warehouse = await openBigQueryWarehouse({ ...place, ...observed, owns: (target) => owned.has(target) });
  } catch (error) {
    await ownership.close();
    throw error;
  }
  const close = warehouse.close.bind(warehouse);
  warehouse.close = async () => {
    await close();
    await ownership.close();
  };
  return warehouse;
}

const isBigQuery = (place: ThreadWarehouse): place is Extract<ThreadWarehouse, { type: 'bigquery' }> =>
  'type' in place && place.type === 'bigquery';
