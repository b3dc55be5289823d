/** A delivery in the form that tests use, which is similar to a line of a delivery file. */
export interface TestDelivery {
  readonly source: string;
  readonly partition: number | string;
  readonly offset: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A delivery from any source, with the name that the source uses for the partition. */
export type AnyDelivery = Omit<TestDelivery, 'partition'> & { readonly partition: number | string };
