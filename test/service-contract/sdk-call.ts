import type { World } from './world.ts';

/** How a program calls an operation with the vendor's SDK. */
export interface SdkCall {
  /** The SDK's own schema of a successful answer; undefined if the answer has no body. */
  readonly answer: { parseOrThrow(raw: unknown, options: object): unknown } | undefined;
  /**
   * Calls the operation, and checks what the SDK returns. Of the statuses that the vendor documents and the operation has, it
   * causes all but 422, which the tests cause themselves.
   */
  call(world: World): Promise<void>;
}
