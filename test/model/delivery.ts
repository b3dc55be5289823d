/** A delivery as tests write it, like a line of a delivery file. */
export interface TestDelivery {
  readonly source: string;
  readonly partition: number | string;
  readonly offset: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A delivery of any source, with the source's own name for the partition. */
export type AnyDelivery = Omit<TestDelivery, 'partition'> & { readonly partition: number | string };
