/** A delivery as the tests have it: a line of a delivery file. */
export interface TestDelivery {
  readonly source: string;
  readonly partition: number | string;
  readonly offset: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A delivery of any source: a partition is what the source calls it. */
export type AnyDelivery = Omit<TestDelivery, 'partition'> & { readonly partition: number | string };
