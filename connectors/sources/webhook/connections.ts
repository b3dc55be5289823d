import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { answerTo, type Endpoint, type Refusal } from './endpoint.ts';

/** Answers bytes that are not a valid request. Node's HTTP server reports them as an error of the connection. */
export class Connections {
  readonly #endpoints: ReadonlyMap<string, Endpoint>;
  /** The answer to the latest request of a connection. */
  readonly #answers = new WeakMap<Socket, ServerResponse>();
  /** Answers that were not sent, because the connection was refused instead. */
  readonly #replaced = new WeakSet<ServerResponse>();

  constructor(endpoints: ReadonlyMap<string, Endpoint>) {
    this.#endpoints = endpoints;
  }

  /** Remembers the answer to a request whose headers have arrived. */
  began(answer: ServerResponse): void {
    if (answer.socket !== null) this.#answers.set(answer.socket, answer);
  }

  /** Returns whether the connection was refused in place of this answer, because the body is not valid HTTP. */
  hasReplaced(answer: ServerResponse): boolean {
    return this.#replaced.has(answer);
  }

  /** Answers and closes the connection. Counts the answer, unless it replaces that of a request, which is counted there. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET') socket.destroy();
    // Node reports a further error for bytes that arrive after the answer.
    if (!socket.writable) return;
    const answer = this.#answers.get(socket);
    const isInBody = answer !== undefined && !answer.req.complete;
    if (isInBody && answer.headersSent) {
      socket.destroy();
      return;
    }
    if (isInBody) this.#replaced.add(answer);
    const refusal = isInBody ? 'broken_off' : refusalOf(error.code);
    if (!isInBody) firstOf(this.#endpoints)?.note(refusal, socket.remoteAddress ?? 'unknown');
    socket.end(textOf(refusal), () => socket.destroy());
  }
}

/** Returns the endpoint that counts the requests for no endpoint. */
export function firstOf(endpoints: ReadonlyMap<string, Endpoint>): Endpoint | undefined {
  return endpoints.values().next().value;
}

function refusalOf(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'too_slow';
  return code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed';
}

function textOf(refusal: Refusal): string {
  const { status, message } = answerTo(refusal);
  const body = JSON.stringify({ message });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
