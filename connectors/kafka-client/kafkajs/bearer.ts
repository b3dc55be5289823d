import { createRequire } from 'node:module';
import type { AuthenticationProviderArgs, Authenticator } from 'kafkajs';
import type { TokenSource } from '../client.ts';

const require = createRequire(import.meta.url);

interface Bytes {
  readonly buffer: Buffer;
  writeBytes(bytes: Buffer): Bytes;
}

/** Between the parts of a message, and alone: the client has seen the refusal (RFC 7628, section 3.2.3). */
const SEPARATOR = '\u0001';

/**
 * SASL's OAUTHBEARER (RFC 7628). The library's own takes a failure to get a token for a refused login, and a refusal,
 * which comes as an answer with content, for a success.
 */
export function bearer(token: TokenSource): (args: AuthenticationProviderArgs) => Authenticator {
  return ({ saslAuthenticate }) => ({
    authenticate: async () => {
      const value = await token();
      const said = await exchange(`n,,${SEPARATOR}auth=Bearer ${value}${SEPARATOR}${SEPARATOR}`);
      // Answered by the error that it is about: SASL_AUTHENTICATION_FAILED.
      if (said > 0) await exchange(SEPARATOR);

      /** Gives how many bytes were answered. */
      async function exchange(message: string): Promise<number> {
        const Encoder = require('kafkajs/src/protocol/encoder') as new () => Bytes;
        const encode = async (): Promise<Buffer> => new Encoder().writeBytes(Buffer.from(message)).buffer;
        const answered = await saslAuthenticate({
          request: { encode },
          // With its length before it, which is 0, or -1 for none, where all is well.
          response: { decode: async (bytes: Buffer) => bytes.readInt32BE(0), parse: async (length: number) => length },
        } as never);
        return Number(answered ?? 0);
      }
    },
  });
}
