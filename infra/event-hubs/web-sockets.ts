import { createServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Container } from 'rhea';
import { type WebSocket, WebSocketServer } from 'ws';

/** Where the service accepts AMQP over WebSockets, and the protocol that clients ask for. */
const PATH = '/$servicebus/websocket';
const PROTOCOL = 'AMQPWSB10';
/** AMQP begins with its own name, a request for a WebSocket with this. */
const GET = 'G'.charCodeAt(0);

/** What rhea's typings leave out. */
type WebSocketContainer = Container & { websocket_accept(socket: WebSocket, options: object): void };

/** Lets the port of AMQP take WebSockets as well, told apart by the first byte that a client sends. */
export function acceptWebSockets(server: Server, container: Container, options: object): void {
  const sockets = new WebSocketServer({
    noServer: true,
    path: PATH,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  sockets.on('connection', (socket) => (container as WebSocketContainer).websocket_accept(socket, options));
  const http = createServer((_, response) => response.writeHead(426).end('Only AMQP over WebSockets.\n'));
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
