import { type EventHubsOptions, startEventHubs } from './event-hubs-server.ts';

/*
 * Runs a server: `node server.process.ts OPTIONS`, where OPTIONS are `EventHubsOptions` as JSON. When the server is
 * ready, prints one line of JSON with its ports. Shuts down cleanly on SIGTERM and SIGINT. Exits when standard input
 * closes, so that the server ends when its parent process ends.
 */
const server = await startEventHubs(JSON.parse(process.argv[2] ?? '{}') as EventHubsOptions);
const { port, controlPort, connectionString } = server;
process.stdout.write(`${JSON.stringify({ port, controlPort, connectionString })}\n`);
const end = () => void server.stop().then(() => process.exit(0));
process.once('SIGTERM', end);
process.once('SIGINT', end);
process.stdin.once('close', () => process.exit(0)).resume();
