import type { Delivery } from '@aorta/connectors';
import { Emitter } from './emitter.ts';

interface CollectedEvent {
  readonly event_type: string;
  readonly user_id?: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Time in microseconds since 1970. */
  readonly receivedAt: number;
}

/** Collects events for a test. The emitter crashes before batch number `crashAt` becomes durable. */
export function eventCollector({ now, crashAt }: { now?: () => number; crashAt?: number } = {}) {
  const events: CollectedEvent[] = [];
  let batches = 0;
  const intake = {
    take: async (deliveries: readonly Delivery[]) => {
      batches += 1;
      for (const { body, receivedAt } of deliveries) events.push({ ...JSON.parse(body.toString()), receivedAt });
    },
    settle: async () => {
      if (batches === crashAt) throw new Error('crash');
    },
    close: async () => {},
  };
  const log = { append: () => {}, flush: async () => {} };
  const openEmitter = (source: string) => new Emitter({ source, log, openIntake: () => intake, now });
  return { events, openEmitter };
}
