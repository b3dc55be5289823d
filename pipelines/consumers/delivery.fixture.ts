import type { EventStream, StreamName, StreamRecords } from '@aorta/schemas';
import type { ReadEvent } from './chain.ts';
import type { Delivery, DeliveryBatch, Source } from './delivery.ts';

/** A delivery with what matters to a test. */
export function delivery(
  parts: Partial<Omit<Delivery, 'headers'>> & { headers?: Record<string, string | Buffer> } = {},
): Delivery {
  const { headers = {}, ...rest } = parts;
  return {
    source: 'hub',
    partition: '0',
    offset: 0,
    receivedAt: 1_700_000_000_000_000,
    key: null,
    body: Buffer.from('{}'),
    inline: false,
    ...rest,
    headers: new Map(Object.entries(headers)),
  };
}

/** Reads any body into a historical completion, so that tests of the chain do not hang on the readers. */
export const readAnything: ReadEvent = (_stream: EventStream, eventType, body, receipt) => {
  const { user_id = '' } = body as { user_id?: string };
  const record: StreamRecords['historical_completions'] = {
    receipt,
    event: { event_type: eventType, team_id: null, user_id, client_user_id: null },
    reader: 1,
    resource: 'sleep',
    provider: 'oura',
    data_user_id: null,
    range_start: null,
    range_end: null,
    is_final: null,
    extra: null,
  };
  return { kind: 'record', record: record as StreamRecords[StreamName], refused: [] };
};

/** A source of given batches; its positions are their ordinals. */
export class ListSource implements Source<number> {
  readonly name = 'list';
  readonly committed: number[] = [];
  readonly #batches: readonly (readonly Delivery[])[];
  handedOver = 0;
  /** Awaited before each batch. */
  beforeBatch: (ordinal: number, signal: AbortSignal) => Promise<void> = async () => {};

  constructor(batches: readonly (readonly Delivery[])[]) {
    this.#batches = batches;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<number>> {
    for (const [position, deliveries] of this.#batches.entries()) {
      await this.beforeBatch(position, signal);
      this.handedOver += 1;
      yield { deliveries, position };
    }
  }

  async commit(positions: readonly number[]): Promise<void> {
    this.committed.push(...positions);
  }
}
