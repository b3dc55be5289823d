/** A delivery as the tests have it: a line of a delivery file. */
export interface TestDelivery {
  readonly source: string;
  readonly partition: number;
  readonly offset: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The line of a delivery file. */
export function lineOf(delivery: TestDelivery): string {
  const { source, partition, offset, receivedAt, headers, body } = delivery;
  return JSON.stringify({ source, partition, offset, received_at: new Date(receivedAt).toISOString(), headers, body });
}
