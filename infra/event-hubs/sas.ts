import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Connection } from 'rhea';

export interface SharedAccessKey {
  readonly name: string;
  readonly key: string;
}

/** The permission that a token grants: access to a path and everything below it, until `expiry` (in seconds since 1970). */
interface Claim {
  /** in lower case and without a host: `hub` or `hub/consumergroups/g/partitions/0` */
  readonly path: string;
  readonly expiry: number;
}

/**
 * Returns the path of an audience such as `sb://127.0.0.1:5672/hub/Partitions/0`. The path is in lower case, because
 * names are case-insensitive.
 */
export function audiencePath(audience: string): string {
  return audience
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/^\/+|\/+$/g, '')
    .toLowerCase();
}

/** Returns whether an entity is at or below the path of a claim. */
export function covers(path: string, entity: string): boolean {
  return path === '' || entity === path || entity.startsWith(`${path}/`);
}

/**
 * Verifies a shared access signature (`SharedAccessSignature sr=…&sig=…&se=…&skn=…`) for an audience. Checks the key
 * name and the signature, which is the HMAC-SHA256 of the resource and the expiry. Also checks that the token has not
 * expired and that the resource covers the audience. `nowSeconds` is in seconds since 1970.
 */
export function verifySas(
  token: string,
  audience: string,
  key: SharedAccessKey,
  nowSeconds: number,
): { claim: Claim } | { refused: string } {
  const [scheme, text = ''] = token.split(' ', 2);
  if (scheme !== 'SharedAccessSignature') return { refused: 'MalformedToken: The token is not a shared access signature.' };
  // Do not use URLSearchParams here. The signature covers the resource in its encoded form, and URLSearchParams decodes a
  // plus as a space.
  const fields = new Map(
    text.split('&').map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
  );
  const [resource, signature, expiry, keyName] = ['sr', 'sig', 'se', 'skn'].map((name) => fields.get(name));
  if (resource === undefined || signature === undefined || expiry === undefined || keyName === undefined || !/^\d+$/.test(expiry))
    return { refused: 'MalformedToken: The token lacks a field.' };
  const [resourceText, signatureText, keyNameText] = [resource, signature, keyName].map(decoded);
  const expected = createHmac('sha256', key.key).update(`${resource}\n${expiry}`).digest('base64');
  if (keyNameText !== key.name || !equal(signatureText!, expected))
    return { refused: 'InvalidSignature: The token has an invalid signature.' };
  if (Number(expiry) <= nowSeconds) return { refused: 'ExpiredToken: The token is expired.' };
  const path = audiencePath(resourceText!);
  if (!covers(path, audiencePath(audience)))
    return { refused: 'InvalidAudience: The authorization header contains a token that does not cover the requested resource.' };
  return { claim: { path: audiencePath(audience), expiry: Number(expiry) } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

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

/** The only shared access policy of the namespace. The policy's key and its right to listen can change while the server runs. */
export class Policy implements SharedAccessKey {
  readonly name: string;
  listens = true;
  #key: string;
  readonly #firstKey: string;

  constructor({ name, key }: SharedAccessKey) {
    this.name = name;
    this.#key = key;
    this.#firstKey = key;
  }

  get key(): string {
    return this.#key;
  }

  /** Replaces the key. Default: the key with which the server started. */
  rotate(key: string = this.#firstKey): void {
    this.#key = key;
  }
}
