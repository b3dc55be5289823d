import { type AortaError, errorFields, type Logger, within } from '@aorta/runtime';
import type { KafkaAdmin, LogBounds, TopicPartition } from '../client/client.ts';
import { partitionName } from './delivery-of-record.ts';
import { KafkaSourceError } from './errors.ts';

export interface OpenTransactionsOptions {
  readonly source: string;
  /** Addresses of the brokers, for the command that aborts a transaction. */
  readonly brokers: readonly string[];
  readonly admin: Pick<KafkaAdmin, 'timestampAt'>;
  /** Maximum time to wait for an answer from the cluster, in milliseconds. */
  readonly answerMs: number;
  readonly logger: Logger;
  /** Called for metrics after each warning. */
  readonly onHeld: () => void;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
}

/** Milliseconds after which an open transaction is reported. Most producers end their transactions within seconds. */
export const HELD_MS = 60_000;

export const isHeld = ({ stable, end }: Pick<LogBounds, 'stable' | 'end'>): boolean => stable < end;

/**
 * Returns the error that describes an open transaction: nothing at or after its first record can be read. The brokers do not say
 * when it began, so the timestamp of its first record counts.
 */
export async function openTransaction(
  at: TopicPartition,
  { stable, end }: LogBounds,
  { admin, brokers, answerMs }: Pick<OpenTransactionsOptions, 'admin' | 'brokers' | 'answerMs'>,
): Promise<{ readonly error: AortaError; readonly since: number | undefined }> {
  const since = await within(answerMs, admin.timestampAt(at, stable)).catch(() => undefined);
  const began = since === undefined || since < 0 ? 'an unknown time' : new Date(since).toISOString();
  const places = { topic: at.topic, number: at.partition, partition: partitionName(at), brokers: brokers.join(',') };
  const error = new KafkaSourceError('AORTA-KAFKA-TRANSACTION-OPEN', { ...places, since: began, offset: stable, end });
  return { error, since };
}

interface Hold {
  readonly offset: number;
  readonly noticedAt: number;
  reported: boolean;
}

/** Notices partitions that an open transaction holds, and logs each of these transactions once. */
export class OpenTransactions {
  readonly #options: OpenTransactionsOptions;
  readonly #holds = new Map<string, Hold>();

  constructor(options: OpenTransactionsOptions) {
    this.#options = options;
  }

  /**
   * Notes the current bounds of a partition. `taken` is the offset after the last record that the consumer has taken. Returns true
   * if the reader has waited for the same transaction for {@link HELD_MS}.
   */
  note(at: TopicPartition, bounds: LogBounds, taken: number): boolean {
    const name = partitionName(at);
    const known = this.#holds.get(name);
    if (!isHeld(bounds) || taken < bounds.stable) {
      if (known?.reported === true)
        this.#options.logger.info('the transaction has ended', { source: this.#options.source, partition: name });
      this.#holds.delete(name);
      return false;
    }
    const now = this.#options.clock();
    const hold = known?.offset === bounds.stable ? known : { offset: bounds.stable, noticedAt: now, reported: false };
    this.#holds.set(name, hold);
    if (now - hold.noticedAt < HELD_MS) return false;
    if (!hold.reported) void this.report(at, bounds);
    hold.reported = true;
    return true;
  }

  /** Logs an open transaction. Never rejects. */
  async report(at: TopicPartition, bounds: LogBounds): Promise<void> {
    const { logger, source, onHeld } = this.#options;
    const { error } = await openTransaction(at, bounds, this.#options);
    onHeld();
    logger.warn('an open transaction holds a partition', { source, ...errorFields(error) });
  }
}
