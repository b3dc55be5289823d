import type { OperationOptions, PartitionOwnership } from '@azure/event-hubs';
import { BlobCheckpointStore } from '@azure/eventhubs-checkpointstore-blob';
import type { ContainerClient } from '@azure/storage-blob';
import { type Checkpoints, type GroupOfHub, NotTheOwner, type PartitionCheckpoint } from './checkpoints.ts';

interface StoredCheckpoint {
  readonly sequenceNumber: number;
  readonly offset: string;
  readonly first: number;
  readonly etag: string;
}

/**
 * Checkpoints and claims as the client's own blob store keeps them, in the same blobs. Claims are its business. Its
 * checkpoints are written whatever stands there; here a write names the state that it replaces.
 */
export class BlobCheckpoints implements Checkpoints {
  readonly #container: ContainerClient;
  readonly #store: BlobCheckpointStore;
  readonly #worker: string;

  constructor(container: ContainerClient, worker: string) {
    this.#container = container;
    this.#store = new BlobCheckpointStore(container);
    this.#worker = worker;
  }

  listOwnership(namespace: string, hub: string, group: string, options?: OperationOptions): Promise<PartitionOwnership[]> {
    return this.#store.listOwnership(namespace, hub, group, options);
  }

  claimOwnership(claims: PartitionOwnership[], options?: OperationOptions): Promise<PartitionOwnership[]> {
    return this.#store.claimOwnership(claims, options);
  }

  async listCheckpoints(
    fullyQualifiedNamespace: string,
    eventHubName: string,
    consumerGroup: string,
    options?: OperationOptions,
  ): Promise<PartitionCheckpoint[]> {
    const group = { fullyQualifiedNamespace, eventHubName, consumerGroup };
    const prefix = blobName(group, 'checkpoint', '');
    const checkpoints: PartitionCheckpoint[] = [];
    for await (const { name, metadata, properties } of this.#container.listBlobsFlat({
      prefix,
      includeMetadata: true,
      ...(options?.abortSignal === undefined ? {} : { abortSignal: options.abortSignal }),
    })) {
      const stored = checkpointIn(metadata, properties.etag);
      if (stored === undefined) continue;
      const { sequenceNumber, offset, first } = stored;
      checkpoints.push({ ...group, partitionId: name.slice(prefix.length), sequenceNumber, offset, first });
    }
    return checkpoints;
  }

  async updateCheckpoint({ partitionId, sequenceNumber, offset, first = 0, ...group }: PartitionCheckpoint): Promise<void> {
    const blob = this.#container.getBlockBlobClient(blobName(group, 'checkpoint', partitionId));
    const metadata = { sequencenumber: String(sequenceNumber), offset, first: String(first) };
    for (;;) {
      // Who claims the partition after the second look begins where it stands now; what is then written is durable all the
      // same, and nobody writes lower afterwards.
      const before = await this.#read(group, 'checkpoint', partitionId);
      const stands = checkpointIn(before?.metadata, before?.etag);
      const claim = await this.#read(group, 'ownership', partitionId);
      if (claim?.metadata?.ownerid !== this.#worker) throw new NotTheOwner();
      if (stands !== undefined && stands.sequenceNumber >= sequenceNumber) return;
      try {
        if (before === undefined) await blob.upload('', 0, { metadata, conditions: { ifNoneMatch: '*' } });
        else await blob.setMetadata(metadata, { conditions: { ifMatch: before.etag } });
        return;
      } catch (error) {
        // Written by somebody else meanwhile: seen again, from the beginning.
        const { statusCode } = error as { statusCode?: number };
        if (statusCode !== 412 && statusCode !== 409) throw error;
      }
    }
  }

  /** Metadata of a blob; undefined where there is none. */
  async #read(
    group: GroupOfHub,
    kind: 'checkpoint' | 'ownership',
    partitionId: string,
  ): Promise<{ readonly metadata: Record<string, string> | undefined; readonly etag: string } | undefined> {
    try {
      const { metadata, etag } = await this.#container.getBlobClient(blobName(group, kind, partitionId)).getProperties();
      return { metadata, etag: etag ?? '' };
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode === 404) return undefined;
      throw error;
    }
  }
}

/** Where the client's own store has it. */
function blobName(
  { fullyQualifiedNamespace, eventHubName, consumerGroup }: GroupOfHub,
  kind: 'checkpoint' | 'ownership',
  partitionId: string,
): string {
  return `${[fullyQualifiedNamespace, eventHubName, consumerGroup].join('/').toLowerCase()}/${kind}/${partitionId}`;
}

function checkpointIn(metadata: Record<string, string> | undefined, etag = ''): StoredCheckpoint | undefined {
  const sequenceNumber = Number.parseInt(metadata?.sequencenumber ?? '', 10);
  if (Number.isNaN(sequenceNumber)) return undefined;
  const first = Number.parseInt(metadata?.first ?? '0', 10);
  return { sequenceNumber, offset: metadata?.offset ?? '', first: Number.isNaN(first) ? 0 : first, etag };
}
