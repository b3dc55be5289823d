import type { Row } from '../../reference-service/record/row.ts';
import type { Select } from '../../reference-service/record/tables.ts';

/** Counts of received deliveries, of one source and event type. `kept` are those that are no redeliveries. */
interface Received {
  readonly source: string;
  readonly event_type: string;
  readonly rows: number;
  readonly kept: number;
  readonly ids: number;
}

const received = `select source, event_type, count(*) as rows, count(*) filter (not redelivered) as kept,
  count(distinct delivery_id) as ids from deliveries where source in ('webhook', 'event-hubs') group by all order by all`;

/** The deliveries in the tables, after Aorta has ended. */
export interface Receipts {
  readonly deliveries: readonly Received[];
  readonly webhookIds: readonly unknown[];
  /** Rows of `completeness` whose count differs from the service's. */
  readonly gaps: readonly Row[];
  readonly complete: number;
  readonly deadLetters: number;
}

export async function readReceipts(select: Select): Promise<Receipts> {
  const number = async (sql: string): Promise<number> => Number((await select(`select (${sql}) as n`))[0]!.n);
  const ids = await select(`select distinct delivery_id from deliveries where source = 'webhook' order by 1`);
  return {
    deliveries: (await select(received)) as unknown as Received[],
    webhookIds: ids.map(({ delivery_id }) => delivery_id),
    gaps: await select('select user_id, resource, sent, received, gap from completeness where gap <> 0 or sent <> received'),
    complete: await number('select count(*) from completeness where gap = 0'),
    deadLetters: await number('select count(*) from deliveries where dead_letter_reason is not null'),
  };
}
