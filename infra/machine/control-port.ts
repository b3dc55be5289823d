import { createServer, type IncomingMessage, type Server } from 'node:http';
import { refusalOf } from '@aorta/runtime';
import { closed, listening } from './ports.ts';

/** The commands of a local server, by name. Each command takes at most one argument. */
type Commands<Name extends string> = Readonly<Record<Name, (argument: never) => unknown>>;

/**
 * An HTTP server on 127.0.0.1 that lets other processes control a local server. `POST /{command}` takes the command's
 * argument as JSON and returns its result as JSON. It refuses requests from pages in a browser.
 */
export class ControlPort<Name extends string> {
  readonly #server: Server;

  /** `allowedHosts` are names that requests may have in `Host` and `Origin`, besides those of this machine. */
  constructor(commands: readonly Name[], control: Commands<Name>, allowedHosts?: readonly string[]) {
    this.#server = createServer(async (request, response) => {
      const refusal = refusalOf(request, allowedHosts);
      if (refusal !== undefined) {
        const headers = { 'content-type': 'application/json', connection: 'close' };
        response.writeHead(403, headers).end(`${JSON.stringify({ error: refusal })}\n`);
        return;
      }
      const name = commands.find((command) => request.url === `/${command}`);
      if (name === undefined || request.method !== 'POST') {
        response.writeHead(404).end(`${JSON.stringify({ error: 'no such command', commands })}\n`);
        return;
      }
      try {
        const text = await textOf(request);
        const result = await control[name]((text === '' ? undefined : JSON.parse(text)) as never);
        response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(result ?? null)}\n`);
      } catch (error) {
        response.writeHead(400).end(`${JSON.stringify({ error: (error as Error).message })}\n`);
      }
    });
  }

  /** Listens on 127.0.0.1 and returns the port. */
  listen(port: number): Promise<number> {
    return listening(this.#server, port);
  }

  close(): Promise<void> {
    return closed(this.#server);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Creates a client for the control port of a server in a different process on this machine. A call rejects if the command
 * fails or if the server is not running.
 */
export function controlClient<Control>(commands: readonly (keyof Control & string)[], controlPort: number): Control {
  const call = async (command: string, argument: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${controlPort}/${command}`, {
      method: 'POST',
      body: argument === undefined ? undefined : JSON.stringify(argument),
    });
    const result: unknown = await response.json();
    if (!response.ok) throw new Error((result as { error: string }).error);
    return result;
  };
  return Object.fromEntries(commands.map((command) => [command, (argument?: unknown) => call(command, argument)])) as Control;
}
