import type { World } from './world.ts';

/** How a program calls an operation with the vendor's SDK. */
export interface SdkCall {
  /** The SDK's own schema of a successful answer; undefined if the answer has no body. */
  readonly answer: { parseOrThrow(raw: unknown, options: object): unknown } | undefined;
  /**
   * Calls the operation, and checks what the SDK returns. It causes all statuses that both the
   * vendor and the operation document, except for 422, which the tests cause themselves.
   */
  call(world: World): Promise<void>;
}
