import type { TokenSource } from '../client.ts';

/** A token and the time at which it expires, in milliseconds since 1970. */
export interface Token {
  readonly value: string;
  readonly until: number;
}

/**
 * A token is renewed after this fraction of its lifetime, or {@link BEFORE_END_MS} before it expires if that is later. Brokers
 * close a connection when its token expires, so kafkajs logs in again ten seconds before that.
 */
const USED_PART = 0.5;
const BEFORE_END_MS = 300_000;

/** Returns a token source that caches the result of `ask` and renews it before it expires. Concurrent callers share one request. */
export function lasting(ask: () => Promise<Token>, clock: () => number = Date.now): TokenSource {
  let token: { readonly value: string; readonly renewAt: number } | undefined;
  let asking: Promise<string> | undefined;
  const renew = async (): Promise<string> => {
    const asked = clock();
    const { value, until } = await ask();
    token = { value, renewAt: Math.max(asked + (until - asked) * USED_PART, until - BEFORE_END_MS) };
    return value;
  };
  return async () => {
    if (token !== undefined && clock() < token.renewAt) return token.value;
    asking ??= renew().finally(() => {
      asking = undefined;
    });
    return await asking;
  };
}
