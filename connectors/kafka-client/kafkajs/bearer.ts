import { createRequire } from 'node:module';
import type { AuthenticationProviderArgs, Authenticator } from 'kafkajs';
import type { TokenSource } from '../client.ts';

const require = createRequire(import.meta.url);

interface Bytes {
  readonly buffer: Buffer;
  writeBytes(bytes: Buffer): Bytes;
}

/** Separates the parts of a message. Sent alone, it acknowledges a refusal (RFC 7628, section 3.2.3). */
const SEPARATOR = '\u0001';

/**
 * SASL OAUTHBEARER (RFC 7628). The library's own implementation reports a failed token request as a refused login. It also treats
 * a refused login as a success: the broker refuses a login by sending an answer that is not empty.
 */
export function bearer(token: TokenSource): (args: AuthenticationProviderArgs) => Authenticator {
  return ({ saslAuthenticate }) => ({
    authenticate: async () => {
      const value = await token();
      const said = await exchange(`n,,${SEPARATOR}auth=Bearer ${value}${SEPARATOR}${SEPARATOR}`);
      // The broker refused the login. It answers the acknowledgement with the actual error, SASL_AUTHENTICATION_FAILED.
      if (said > 0) await exchange(SEPARATOR);

      /** Sends a message and returns the length of the answer in bytes. */
      async function exchange(message: string): Promise<number> {
        const Encoder = require('kafkajs/src/protocol/encoder') as new () => Bytes;
        const encode = async (): Promise<Buffer> => new Encoder().writeBytes(Buffer.from(message)).buffer;
        const answered = await saslAuthenticate({
          request: { encode },
          // On success, the length prefix of the answer is 0, or -1 for null.
          response: { decode: async (bytes: Buffer) => bytes.readInt32BE(0), parse: async (length: number) => length },
        } as never);
        return Number(answered ?? 0);
      }
    },
  });
}
