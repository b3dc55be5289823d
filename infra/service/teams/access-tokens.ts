import { createHmac, timingSafeEqual } from 'node:crypto';
import type { State } from '../state.ts';

/** A token is valid for this long, in seconds. */
export const TOKEN_SECONDS = 600;

/** Tokens that stand for the key of a team for some minutes. They are signed, and not stored. */
export class AccessTokens {
  readonly #state: State;
  readonly #key: Buffer;

  constructor(state: State) {
    this.#state = state;
    this.#key = state.secrets.keyFor('access tokens');
  }

  create(team: string): string {
    const payload = `${team}.${this.#state.clock.now() + TOKEN_SECONDS * 1000}`;
    return `${payload}.${this.#sign(payload).toString('base64url')}`;
  }

  /** Returns the team id of a valid token. The team may have been deleted since. */
  teamOf(token: string): string | undefined {
    const [, payload, team, end, signature] = /^(([0-9a-f-]{36})\.(\d{1,16}))\.([\w-]+)$/.exec(token) ?? [];
    if (payload === undefined) return undefined;
    const [given, right] = [Buffer.from(signature!, 'base64url'), this.#sign(payload)];
    const isSigned = given.length === right.length && timingSafeEqual(given, right);
    return isSigned && Number(end) > this.#state.clock.now() ? team : undefined;
  }

  #sign(payload: string): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest();
  }
}
