import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local OAuth 2.0 endpoint for one client. Brokers accept the tokens that it signs. */
export interface TokenEndpoint {
  readonly url: string;
  /** URL from which brokers fetch the public keys. */
  readonly keys: string;
  readonly issuer: string;
  /** Bodies of the requests that were answered with a token. */
  readonly asked: URLSearchParams[];
  /** Lifetime of tokens, in seconds. */
  lifeS: number;
  audience: string;
  /** If set, the endpoint sends this response instead of a token. */
  refusal: { readonly status: number; readonly body: string } | undefined;
  /** Number of requests that were answered with {@link refusal}. */
  refused: number;
  close(): Promise<void>;
}

export const CLIENT = { id: 'aorta:etl', secret: 'Zq81 +secret/%' } as const;

export async function tokenEndpoint(): Promise<TokenEndpoint> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const part = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url');
  const token = (): string => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: endpoint.issuer, aud: endpoint.audience, sub: 'aorta', iat: now, exp: now + endpoint.lifeS };
    const signed = `${part({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${part(claims)}`;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(privateKey).toString('base64url')}`;
  };
  const server = createServer(async (request, response) => {
    const say = (status: number, body: string): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };
    if (request.url === '/keys') {
      const key = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
      return say(200, JSON.stringify({ keys: [key] }));
    }
    const body = new URLSearchParams(await textOf(request));
    if (endpoint.refusal !== undefined) {
      endpoint.refused += 1;
      return say(endpoint.refusal.status, endpoint.refusal.body);
    }
    // The client id and the secret are each form-encoded (RFC 6749, section 2.3.1).
    const shown = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    const [id, secret] = shown.split(':').map((text) => decodeURIComponent(text.replaceAll('+', ' ')));
    if (id !== CLIENT.id || secret !== CLIENT.secret || body.get('grant_type') !== 'client_credentials')
      return say(401, JSON.stringify({ error: 'invalid_client', error_description: `no ${shown}` }));
    endpoint.asked.push(body);
    say(200, JSON.stringify({ access_token: token(), token_type: 'Bearer', expires_in: endpoint.lifeS }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endpoint: TokenEndpoint = {
    url: `${address}/token`,
    keys: `${address}/keys`,
    issuer: 'https://issuer.example',
    asked: [],
    lifeS: 3600,
    audience: 'kafka',
    refusal: undefined,
    refused: 0,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return endpoint;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const bytes of request) text += bytes;
  return text;
}
