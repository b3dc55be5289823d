import { connect } from 'node:net';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export function addressOf(broker: string): Address {
  const colon = broker.lastIndexOf(':');
  return { host: broker.slice(0, colon), port: Number(broker.slice(colon + 1)) };
}

/**
 * Sends one request in Kafka's protocol over a new connection. Resolves with the response, starting at its correlation
 * id, or with undefined if no response arrives. This function is enough to check a broker and to create topics, so this
 * folder does not need a Kafka client.
 */
export function exchange({ host, port }: Address, request: Request, patienceMs: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    let answer = Buffer.alloc(0);
    const end = (whole: Buffer | undefined): void => {
      socket.destroy();
      resolve(whole);
    };
    socket.setTimeout(patienceMs, () => end(undefined));
    socket.on('error', () => end(undefined));
    socket.on('close', () => end(undefined));
    socket.on('connect', () => socket.write(written(request)));
    socket.on('data', (bytes) => {
      answer = Buffer.concat([answer, bytes]);
      if (answer.length >= 4 && answer.length >= 4 + answer.readInt32BE(0)) end(answer.subarray(4));
    });
  });
}

export interface Request {
  /** API key: Kafka's number for the type of the request. */
  readonly api: number;
  readonly version: number;
  readonly body: readonly Buffer[];
}

/** Encodes a request with its length and a correlation id, but without a client id. */
function written({ api, version, body }: Request): Buffer {
  const request = Buffer.concat([int16(api), int16(version), int32(1), int16(-1), ...body]);
  return Buffer.concat([int32(request.length), request]);
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export const text = (value: string): Buffer => Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)]);
