import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BigQueryControl } from './control.ts';

/** The commands of the control port: `POST /inject` with the argument as JSON answers with the result as JSON. */
const commands = ['inject', 'remove', 'quotas', 'advance', 'state'] as const satisfies readonly (keyof BigQueryControl)[];

type Commands = Record<(typeof commands)[number], (argument: unknown) => Promise<unknown>>;

/** The control port: faults from another process, over HTTP on 127.0.0.1. */
export class ControlPort {
  readonly #server: Server;

  constructor(control: BigQueryControl) {
    this.#server = createServer(async (request, response) => {
      const name = commands.find((command) => request.url === `/${command}`);
      if (name === undefined || request.method !== 'POST') {
        response.writeHead(404).end(`${JSON.stringify({ error: 'no such command', commands })}\n`);
        return;
      }
      try {
        const text = await textOf(request);
        const result = await (control as unknown as Commands)[name](text === '' ? undefined : JSON.parse(text));
        response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(result ?? null)}\n`);
      } catch (error) {
        response.writeHead(400).end(`${JSON.stringify({ error: (error as Error).message })}\n`);
      }
    });
  }

  /** Listens on 127.0.0.1 and gives the port. */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The control of a server in another process, by its control port on this machine. Rejects where the server refuses, or is gone. */
export function controlClient(controlPort: number): BigQueryControl {
  const call = async (command: string, argument: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${controlPort}/${command}`, {
      method: 'POST',
      ...(argument === undefined ? {} : { body: JSON.stringify(argument) }),
    });
    const result: unknown = await response.json();
    if (!response.ok) throw new Error((result as { error: string }).error);
    return result;
  };
  return Object.fromEntries(
    commands.map((command) => [command, (argument?: unknown) => call(command, argument)]),
  ) as unknown as BigQueryControl;
}
