import { createServer, type Socket } from 'node:net';
import { Connection, ConnectionEvents, Receiver } from 'rhea-promise';
import { beforeAll, describe, expect, test } from 'vitest';
import { applyWorkarounds } from './namespace.ts';

/** Returns a receiver from the AMQP library whose fake link only counts credit. */
function receiver(source: { address: string } | undefined) {
  const link = {
    credit: 0,
    source,
    add_credit(credit: number) {
      link.credit += credit;
    },
  };
  return { link, receiver: Object.assign(Object.create(Receiver.prototype) as Receiver, { _link: link }) };
}

beforeAll(() => {
  applyWorkarounds();
  applyWorkarounds();
});

describe('the patched client', () => {
  test('never grants a link more credit than one prefetch', () => {
    const { link, receiver: mended } = receiver({ address: 'a' });
    for (let cycle = 0; cycle < 10; cycle += 1) mended.addCredit(500);
    expect(link.credit).toBe(500);
    link.credit = 120;
    mended.addCredit(500);
    expect(link.credit).toBe(500);
    mended.addCredit(200);
    expect(link.credit).toBe(500);
  });

  test.each([false, true])(
    'survives an error that is thrown while a frame is read (listener added and removed before: %s)',
    async (listened) => {
      const sockets: Socket[] = [];
      const server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      const { port } = server.address() as { port: number };
      const connection = new Connection({ host: '127.0.0.1', port, reconnect: false });
      // The client listens for a while, and removes its listener when it gives up the connection.
      const listener = () => {};
      if (listened) connection.on(ConnectionEvents.error, listener);
      const opened = connection.open().catch((error: Error) => error);
      if (listened) connection.removeListener(ConnectionEvents.error, listener);
      // The library emits the error on its own inner connection.
      const { _connection: inner } = connection as unknown as { _connection: { emit(event: string, context: object): boolean } };
      expect(() => inner.emit('error', new TypeError('thrown in a handler'))).not.toThrow();
      for (const socket of sockets) socket.destroy();
      server.close();
      expect(await opened).toBeInstanceOf(Error);
    },
  );

  test('can read the address of a closed link', () => {
    expect(receiver({ address: 'hub/$cbs' }).receiver.address).toBe('hub/$cbs');
    expect(receiver(undefined).receiver.address).toBe('');
  });
});
