import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { afterAll, beforeAll } from 'vitest';
import { type BlobServer, startBlobServer } from '../../../connectors/event-hubs/checkpoints/blob-server.fixture.ts';
import { eventHubsSuite } from '../../real/event-hubs.suite.ts';

/** Runs the suite for a real namespace against the local servers, in order to test the suite itself. */
let server: EventHubsServer;
let blobs: BlobServer;

beforeAll(async () => {
  [server, blobs] = await Promise.all([startEventHubs({ hubs: [{ name: 'aorta-test', partitions: 2 }] }), startBlobServer()]);
});
afterAll(async () => {
  await Promise.all([server.stop(), blobs.stop()]);
});

eventHubsSuite(() => ({
  connection: server.connectionString,
  hub: 'aorta-test',
  group: '$Default',
  storage: blobs.connection,
  container: 'aorta-test',
}));
