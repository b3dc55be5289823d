import type { DeliveryBatch } from '../../source.ts';
import type { Message } from './message.ts';

/** A durable log of verified messages, partitioned by user. A position in it is the position of the delivery. */
export interface IntakeLog<Position> {
  /**
   * Appends a message. Resolves when it is durable. Rejects with AORTA-DATA-UNWRITABLE or AORTA-KAFKA-… if it is not; the log
   * stays usable, and a later append may succeed.
   */
  append(message: Message): Promise<void>;
  /** Bytes of durable messages that ingestion has not committed yet; 0 if the log has room for any number. */
  backlogBytes(): number;
  /** Yields the messages after the committed position, as `Source.batches` does. Call it once. */
  batches(signal: AbortSignal): AsyncIterable<DeliveryBatch<Position>>;
  /** See `Source.commit`. */
  commit(positions: readonly Position[]): Promise<void>;
  /** Waits for running appends, then releases the log. Never rejects. */
  close(): Promise<void>;
}
