import { type EventHubsOptions, startEventHubs } from './event-hubs-server.ts';

/*
 * A server in a process of its own: `node server.process.ts OPTIONS`, with `EventHubsOptions` as JSON. Prints one line of JSON with its
 * ports when it is ready. Ends in good order on SIGTERM and SIGINT, and dies with whoever holds the other end of its standard input.
 */
const server = await startEventHubs(JSON.parse(process.argv[2] ?? '{}') as EventHubsOptions);
const { port, controlPort, connectionString } = server;
process.stdout.write(`${JSON.stringify({ port, controlPort, connectionString })}\n`);
const end = () => void server.stop().then(() => process.exit(0));
process.once('SIGTERM', end);
process.once('SIGINT', end);
process.stdin.once('close', () => process.exit(0)).resume();
