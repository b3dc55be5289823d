import { createServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Container } from 'rhea';
import { type WebSocket, WebSocketServer } from 'ws';

/** The path on which the service accepts AMQP over WebSockets. `PROTOCOL` is the subprotocol that clients request. */
const PATH = '/$servicebus/websocket';
const PROTOCOL = 'AMQPWSB10';
/** The first byte of a WebSocket request (`GET`). An AMQP connection begins with the bytes `AMQP`. */
const GET = 'G'.charCodeAt(0);

/** A method that rhea's typings omit. */
type WebSocketContainer = Container & { websocket_accept(socket: WebSocket, options: object): void };

/** Makes the AMQP port accept WebSockets as well. The first byte from a client distinguishes the two protocols. */
export function acceptWebSockets(server: Server, container: Container, options: object): void {
  const sockets = new WebSocketServer({
    noServer: true,
    path: PATH,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  sockets.on('connection', (socket) => (container as WebSocketContainer).websocket_accept(socket, options));
  const http = createServer((_, response) =>
    response.writeHead(426).end('This port accepts only AMQP and AMQP over WebSockets.\n'),
  );
  http.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit('connection', accepted, request)),
  );
  const [acceptAmqp] = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeListener('connection', acceptAmqp!);
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.unshift(first);
      if (first[0] === GET) http.emit('connection', socket);
      else acceptAmqp!(socket);
    });
  });
}
