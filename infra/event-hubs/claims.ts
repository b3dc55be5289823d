import type { Connection } from 'rhea';
import { audiencePath, type Claim, covers } from './sas.ts';

/** The claims that connections have put through `$cbs`. */
export class Claims {
  #claims = new WeakMap<Connection, Map<string, Claim>>();

  put(connection: Connection, claim: Claim): void {
    const claims = this.#claims.get(connection) ?? new Map<string, Claim>();
    this.#claims.set(connection, claims.set(claim.path, claim));
  }

  /** Whether a connection holds a claim that is not expired for an entity, which has no host. */
  allow(connection: Connection, entity: string): boolean {
    const path = audiencePath(entity);
    const now = Date.now() / 1000;
    const claims = this.#claims.get(connection);
    return claims?.values().some((claim) => claim.expiry > now && covers(claim.path, path)) ?? false;
  }

  /** The key that signed them is not valid any more. */
  forgetAll(): void {
    this.#claims = new WeakMap();
  }
}
