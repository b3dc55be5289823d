import type { Connection } from 'rhea';
import { audiencePath, type Claim, covers } from './sas.ts';

/** The claims of each connection. A client obtains a claim by sending a token to `$cbs`. */
export class Claims {
  #claims = new WeakMap<Connection, Map<string, Claim>>();

  put(connection: Connection, claim: Claim): void {
    const claims = this.#claims.get(connection) ?? new Map<string, Claim>();
    this.#claims.set(connection, claims.set(claim.path, claim));
  }

  /** Returns whether a connection has a valid claim for an entity. `entity` is a path without a host. */
  allow(connection: Connection, entity: string): boolean {
    const path = audiencePath(entity);
    const now = Date.now() / 1000;
    const claims = this.#claims.get(connection);
    return claims?.values().some((claim) => claim.expiry > now && covers(claim.path, path)) ?? false;
  }

  /** Drops all claims, for example because the key that signed them is no longer valid. */
  forgetAll(): void {
    this.#claims = new WeakMap();
  }
}
