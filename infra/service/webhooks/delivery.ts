import type { Endpoint } from './endpoints.ts';

/** Sends one attempt. Resolves with the HTTP status, or 0 if there was no answer in time. Never rejects. */
export type Send = (endpoint: Endpoint, message: Message) => Promise<number>;

interface Message {
  readonly id: string;
  readonly body: string;
  /** Keys that sign the attempt, the newest first. */
  readonly keys: readonly string[];
}

/** Names a delivery: one message to one endpoint. */
export interface DeliveryId {
  readonly message_id: string;
  readonly endpoint_id: string;
}

/** The event of a message. */
export interface SentEvent {
  readonly event_id: number;
  readonly event_type: string;
  readonly user_id: string;
  readonly team_id: string;
  readonly body: string;
}

/** Times are in milliseconds since 1970. */
export interface Delivery extends DeliveryId {
  readonly state: 'pending' | 'succeeded' | 'failed';
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_attempt_at: number | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds between two attempts: the n-th is before attempt n + 2. The first attempt is immediate. */
export const attemptGaps: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];
