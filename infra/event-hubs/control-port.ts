import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventHubsControl } from './control.ts';

/** The commands of the control port: `POST /detach` with the argument as JSON answers with the result as JSON. */
export const commands = [
  'state',
  'detach',
  'close',
  'reset',
  'freeze',
  'thaw',
  'mute',
  'unmute',
  'refuse',
  'admit',
  'stall',
  'delay',
  'undelay',
  'repeatDeliveries',
  'repeatStores',
  'append',
  'trim',
  'recreate',
] as const satisfies readonly (keyof EventHubsControl)[];

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The control port: faults from another process, over HTTP on 127.0.0.1. */
export class ControlPort {
  readonly #server: Server;

  constructor(control: EventHubsControl) {
    this.#server = createServer(async (request, response) => {
      const name = commands.find((command) => request.url === `/${command}`);
      if (name === undefined || request.method !== 'POST') {
        response.writeHead(404).end(`${JSON.stringify({ error: 'no such command', commands })}\n`);
        return;
      }
      try {
        const text = await textOf(request);
        const argument = text === '' ? undefined : JSON.parse(text);
        const result: unknown = await (control[name] as (argument: unknown) => Promise<unknown>).call(control, argument);
        response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(result ?? null)}\n`);
      } catch (error) {
        response.writeHead(400).end(`${JSON.stringify({ error: (error as Error).message })}\n`);
      }
    });
  }

  /** Listens on 127.0.0.1 and gives the port. */
  async listen(port: number): Promise<number> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}
