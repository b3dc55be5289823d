import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MovedClock } from '../../infra/machine/system-clock.fixture.ts';
import { openServiceClient } from './client.ts';
import type { ServiceClient } from './operations.ts';
import { type ServiceOptions, serviceOptions } from './options.ts';

/** Answers a request. `nth` is the number of the request, counted from 1. */
export type Answerer = (request: IncomingMessage, response: ServerResponse, nth: number) => void;

export interface ApiServer {
  readonly client: ServiceClient;
  /** Requests as `path?query`, in order of arrival. */
  readonly asked: readonly string[];
  /** The client's pauses in milliseconds. They take no real time. */
  readonly pauses: readonly number[];
  close(): Promise<void>;
}

/**
 * Starts an HTTP server that answers as the test specifies, and a client whose clock advances only while it pauses. With
 * `clock`, the client uses the clocks of the process.
 */
export async function startApiServer(
  answer: Answerer,
  options: Partial<ServiceOptions> = {},
  surroundings: { readonly clock?: MovedClock } = {},
): Promise<ApiServer> {
  const asked: string[] = [];
  const pauses: number[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    answer(request, response, asked.length);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let now = Date.UTC(2026, 0, 1);
  const { clock } = surroundings;
  const client = openServiceClient(
    serviceOptions.parse({ base_url: `http://127.0.0.1:${port}/api`, key: 'planted-key', ...options }),
    {
      now: clock === undefined ? () => now : undefined,
      random: () => 0,
      pause: async (milliseconds, signal) => {
        signal?.throwIfAborted();
        pauses.push(milliseconds);
        now += milliseconds;
        clock?.pass(milliseconds);
      },
    },
  );
  return {
    client,
    asked,
    pauses,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

export function answer(response: ServerResponse, content: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(content));
}
