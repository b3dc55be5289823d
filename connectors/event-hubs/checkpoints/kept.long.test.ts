import { randomUUID } from 'node:crypto';
import type { AortaError } from '@aorta/runtime';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BlobProxy, type Exchange, startBlobProxy } from './blob-proxy.fixture.ts';
import { type BlobServer, startBlobServer } from './blob-server.fixture.ts';
import { BlobCheckpoints } from './blob-store.ts';
import { openCheckpoints } from './open.ts';

let blobs: BlobServer;
let service: BlobServiceClient;
let container: ContainerClient;
let proxy: BlobProxy | undefined;

beforeAll(async () => {
  blobs = await startBlobServer();
  service = BlobServiceClient.fromConnectionString(blobs.connection);
});
afterAll(() => blobs.stop());
beforeEach(async () => {
  container = service.getContainerClient(`c-${randomUUID()}`);
  await container.create();
});
afterEach(() => proxy?.stop());

const claim = {
  fullyQualifiedNamespace: 'ns',
  eventHubName: 'health',
  consumerGroup: '$Default',
  partitionId: '0',
  ownerId: 'a',
};

/** Opens the checkpoint store, claims a partition twice, and returns the warnings. */
async function warnings(connection: string): Promise<readonly AortaError[]> {
  const told: AortaError[] = [];
  const checkpoints = { type: 'blob' as const, container: container.containerName, connection };
  const store = await openCheckpoints({ checkpoints, identity: {} }, '', 'a', (error) => told.push(error));
  const [claimed] = await store.claimOwnership([claim]);
  await store.claimOwnership([claimed!]);
  return told;
}

const kept = (errors: readonly AortaError[]): unknown[] => errors.map(({ code, details }) => [code, details.kept]);

/** The response of a storage account if the identity may not read its properties. */
const forbidden = {
  status: 403,
  headers: { 'content-type': 'application/xml', 'x-ms-error-code': 'AuthorizationPermissionMismatch' },
  body: `<?xml version="1.0" encoding="utf-8"?><Error><Code>AuthorizationPermissionMismatch</Code><Message>This request is not authorized to perform this operation using this permission.</Message></Error>`,
};

const isProperties = ({ path }: Exchange): boolean => path.includes('restype=service') && path.includes('comp=properties');
const isList = ({ path }: Exchange): boolean => path.includes('comp=list');

test('a storage account that keeps no copies of overwritten blobs causes no warning', async () => {
  expect(await warnings(blobs.connection)).toEqual([]);
});

test('soft delete is detected from the properties of the account', async () => {
  await service.setProperties({ deleteRetentionPolicy: { enabled: true, days: 7 } });
  try {
    const told = await warnings(blobs.connection);
    expect(kept(told)).toEqual([['AORTA-CHECKPOINTS-KEPT', 'soft delete']]);
    expect(told[0]!.message).toContain(container.containerName);
  } finally {
    await service.setProperties({ deleteRetentionPolicy: { enabled: false } });
  }
});

test('soft delete is detected from deleted copies if the properties cannot be read', async () => {
  await new BlobCheckpoints(container, 'a').claimOwnership([{ ...claim, partitionId: '1' }]);
  const asked: string[] = [];
  proxy = await startBlobProxy(blobs.connection, (exchange) => {
    if (isProperties(exchange)) return forbidden;
    if (!isList(exchange)) return undefined;
    asked.push(exchange.path);
    return exchange.path.includes('deleted')
      ? { body: exchange.body.replace('</Name>', '</Name><Deleted>true</Deleted>') }
      : undefined;
  });
  expect(kept(await warnings(proxy.connection))).toEqual([['AORTA-CHECKPOINTS-KEPT', 'soft delete']]);
  expect(asked.join()).toContain('snapshots');
});

test('versioning is detected from the listed versions and reported once', async () => {
  await new BlobCheckpoints(container, 'a').claimOwnership([{ ...claim, partitionId: '1' }]);
  proxy = await startBlobProxy(blobs.connection, (exchange) => {
    if (exchange.method === 'PUT') return versioned(exchange);
    if (!isList(exchange) || !exchange.path.includes('versions')) return undefined;
    return { body: exchange.body.replace('</Name>', '</Name><VersionId>2026-11-23T00:00:00.1234567Z</VersionId>') };
  });
  expect(kept(await warnings(proxy.connection))).toEqual([['AORTA-CHECKPOINTS-KEPT', 'versioning']]);
});

test('if a container is still empty, versioning is detected when the first claim is written', async () => {
  proxy = await startBlobProxy(blobs.connection, (exchange) => (exchange.method === 'PUT' ? versioned(exchange) : undefined));
  expect(kept(await warnings(proxy.connection))).toEqual([['AORTA-CHECKPOINTS-KEPT', 'versioning']]);
});

test('if a storage account denies access to its properties and to copies of blobs, it is used without a warning', async () => {
  proxy = await startBlobProxy(blobs.connection, (exchange) =>
    isProperties(exchange) || (isList(exchange) && exchange.path.includes('include=')) ? forbidden : undefined,
  );
  expect(await warnings(proxy.connection)).toEqual([]);
});

function versioned({ headers }: Exchange): Pick<Exchange, 'headers'> {
  return { headers: { ...headers, 'x-ms-version-id': '2026-11-23T00:00:00.1234567Z' } };
}
