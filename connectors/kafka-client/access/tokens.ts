import type { TokenSource } from '../client.ts';

/** A token, and until when it is good, in milliseconds since 1970. */
export interface Token {
  readonly value: string;
  readonly until: number;
}

/** A token is asked for anew when this part of its life is over; later where it has a long one. A connection lives as long as its token, and logs in again ten seconds before. */
const USED_PART = 0.5;
const BEFORE_END_MS = 300_000;

/** Asks for a token when one is needed and none is there that lasts; all who need one at the same time get the same. */
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
