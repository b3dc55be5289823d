import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closed, listening } from '@aorta/machine';
import { refusalOf } from '@aorta/runtime';
import type { FaultRules } from '../fault-rules.ts';
import { type Call, callOf } from './call.ts';
import type { Reply, Service } from './service.ts';
import { ServiceError } from './service-error.ts';

/** Fault rules search for their text only in this many bytes at the start of a body. */
const LOOKED_AT = 65_536;

/** Listens for calls to the local server. Reads each call, applies faults to it, and passes it to the service. */
export class BigQueryListener {
  readonly #service: Service;
  readonly #rules: FaultRules;
  readonly #server: Server;

  /** `allowedHosts` are names that calls may have in `Host` and `Origin`, besides those of this machine. */
  constructor(service: Service, rules: FaultRules, allowedHosts?: readonly string[]) {
    this.#service = service;
    this.#rules = rules;
    this.#server = createServer((incoming, outgoing) => {
      const refusal = refusalOf(incoming, allowedHosts);
      if (refusal !== undefined) {
        outgoing.setHeader('connection', 'close');
        send(outgoing, { status: 403, body: new ServiceError('accessDenied', refusal).body });
        return;
      }
      this.#handle(incoming, outgoing).catch((error: unknown) => {
        const { message } = error as Error;
        send(outgoing, { status: 500, body: new ServiceError('internalError', `The local server failed: ${message}`).body });
      });
    });
    // A hanging call must not time out.
    this.#server.requestTimeout = 0;
  }

  /** Listens on 127.0.0.1 and resolves with the port. */
  async listen(port: number): Promise<number> {
    return listening(this.#server, port);
  }

  async close(): Promise<void> {
    await closed(this.#server);
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { socket } = incoming;
    const call = callOf(incoming.method ?? 'GET', incoming.url ?? '/');
    this.#rules.count(call.kind);
    const body = await this.#body(incoming, call);
    if (body === undefined) {
      socket.resetAndDestroy();
      return;
    }
    const fault = this.#rules.take(call.kind, textOf(call, body));
    if (fault?.kind === 'status') {
      const { status, reason, message = `An injected fault refused the call: ${reason}.` } = fault;
      send(outgoing, { status, body: new ServiceError(reason, message, status).body });
      return;
    }
    const kept = fault?.kind === 'reset' || fault?.kind === 'hang' ? fault : undefined;
    if (kept?.when !== 'before') {
      const reply = await this.#service.answer({ ...call, headers: incoming.headers, body }, fault);
      if (kept === undefined) send(outgoing, reply);
    }
    if (kept?.kind === 'reset') socket.resetAndDestroy();
  }

  /** Reads the whole body. Resolves with undefined if the connection ends early or a fault cuts the call off. */
  async #body(incoming: IncomingMessage, call: Call): Promise<Buffer | undefined> {
    const chunks: Buffer[] = [];
    let length = 0;
    try {
      for await (const chunk of incoming) {
        chunks.push(chunk as Buffer);
        length += (chunk as Buffer).length;
        if (!this.#rules.cuts(call.kind)) continue;
        const text = textOf(call, Buffer.concat(chunks));
        const after = this.#rules.cutAfter(call.kind, text);
        if (after !== undefined && length >= after && this.#rules.take(call.kind, text, true) !== undefined) return undefined;
      }
    } catch {
      return undefined;
    }
    return Buffer.concat(chunks);
  }
}

function textOf({ path }: Call, body: Buffer): string {
  return `${decodeURIComponent(path)}\n${body.toString('utf8', 0, LOOKED_AT)}`;
}

function send(outgoing: ServerResponse, { status, type = 'application/json; charset=UTF-8', body }: Reply): void {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  outgoing.writeHead(status, { 'content-type': type, 'content-length': bytes.length });
  outgoing.end(bytes);
}
