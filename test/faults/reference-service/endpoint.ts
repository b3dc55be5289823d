import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../reference-service/control.ts';

export interface ReceivedEvent {
  readonly event_type: string;
  readonly user_id: string;
  readonly data: Json;
}

/** An endpoint that is independent of Aorta and never killed. It keeps the bodies of webhooks by message id. */
export async function endpoint() {
  const events = new Map<string, ReceivedEvent>();
  const arrivals = new EventEmitter();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    events.set(String(request.headers['svix-id']), JSON.parse(body) as ReceivedEvent);
    response.writeHead(204).end();
    arrivals.emit('message');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    events,
    /** Resolves when `count` more messages have arrived. */
    async arrived(count: number): Promise<void> {
      const size = events.size + count;
      while (events.size < size) await once(arrivals, 'message');
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
