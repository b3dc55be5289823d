import type { ContainerClient } from '@azure/storage-blob';
import { type Checkpoints, type GroupOfHub, NotTheOwner, type PartitionCheckpoint, type PartitionClaim } from './checkpoints.ts';

type StoredCheckpoint = Required<Pick<PartitionCheckpoint, 'sequenceNumber' | 'offset' | 'first'>> &
  Pick<PartitionCheckpoint, 'streams'>;

/** A blob's modification time is rounded down to whole seconds, so it can be up to this many milliseconds too early. */
const SECOND_MS = 1000;

/**
 * Stores checkpoints and claims in the blob layout of the client's own store. The client's store overwrites checkpoints
 * unconditionally, and its epochs are times in whole seconds. This store makes every write conditional on the state
 * that it replaces, and gives each claim a higher epoch than the claim before it.
 */
export class BlobCheckpoints implements Checkpoints {
  readonly #container: ContainerClient;
  readonly #worker: string;
  readonly #onVersioned: () => void;

  /** The store calls `onVersioned` whenever the response to a claim shows that the storage account keeps versions of blobs. */
  constructor(container: ContainerClient, worker: string, onVersioned: () => void = () => {}) {
    this.#container = container;
    this.#worker = worker;
    this.#onVersioned = onVersioned;
  }

  async listOwnership(fullyQualifiedNamespace: string, eventHubName: string, consumerGroup: string): Promise<PartitionClaim[]> {
    const group = { fullyQualifiedNamespace, eventHubName, consumerGroup };
    const claims: PartitionClaim[] = [];
    for await (const { partitionId, metadata, properties } of this.#list(group, 'ownership')) {
      const { etag, lastModified } = properties;
      const epoch = Number.parseInt(metadata?.epoch ?? '', 10);
      claims.push({
        ...group,
        partitionId,
        ownerId: metadata?.ownerid ?? '',
        etag,
        lastModifiedTimeInMs: lastModified.getTime(),
        epoch: Number.isNaN(epoch) ? undefined : epoch,
      });
    }
    return claims;
  }

  /** Claims the partitions whose claims still have the given ETags. If two workers claim the same partition, only one succeeds. */
  async claimOwnership(wanted: PartitionClaim[]): Promise<PartitionClaim[]> {
    const claimed: PartitionClaim[] = [];
    for (const claim of wanted) {
      try {
        claimed.push(await this.#claim(claim));
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
    }
    return claimed;
  }

  async #claim({ epoch: before, etag, lastModifiedTimeInMs, ...claim }: PartitionClaim): Promise<PartitionClaim> {
    // Other programs use the modification time of a claim as its epoch. That time is known only in whole seconds.
    const highest = before ?? (lastModifiedTimeInMs === undefined ? 0 : lastModifiedTimeInMs + SECOND_MS);
    const epoch = Math.max(Date.now(), highest + 1);
    const blob = this.#container.getBlockBlobClient(blobName(claim, 'ownership', claim.partitionId));
    const metadata = { ownerid: claim.ownerId, epoch: String(epoch) };
    const written =
      etag === undefined
        ? await blob.upload('', 0, { metadata, conditions: { ifNoneMatch: '*' } })
        : await blob.setMetadata(metadata, { conditions: { ifMatch: etag } });
    if (written.versionId !== undefined) this.#onVersioned();
    return {
      ...claim,
      epoch,
      ...(written.etag === undefined ? {} : { etag: written.etag }),
      ...(written.lastModified === undefined ? {} : { lastModifiedTimeInMs: written.lastModified.getTime() }),
    };
  }

  async listCheckpoints(
    fullyQualifiedNamespace: string,
    eventHubName: string,
    consumerGroup: string,
  ): Promise<PartitionCheckpoint[]> {
    const group = { fullyQualifiedNamespace, eventHubName, consumerGroup };
    const checkpoints: PartitionCheckpoint[] = [];
    for await (const { partitionId, metadata } of this.#list(group, 'checkpoint')) {
      const stored = checkpointIn(metadata);
      if (stored !== undefined) checkpoints.push({ ...group, partitionId, ...stored });
    }
    return checkpoints;
  }

  /** Returns the location of a partition's checkpoint, so that an operator can delete it. */
  placeOf(group: GroupOfHub, partitionId: string): string {
    return `the blob ${blobName(group, 'checkpoint', partitionId)} in the container ${this.#container.containerName}`;
  }

  async updateCheckpoint({
    partitionId,
    sequenceNumber,
    offset,
    first = 0,
    streams,
    ...group
  }: PartitionCheckpoint): Promise<void> {
    const blob = this.#container.getBlockBlobClient(blobName(group, 'checkpoint', partitionId));
    const known = { sequencenumber: String(sequenceNumber), offset, first: String(first) };
    const metadata = streams === undefined ? known : { ...known, streams };
    for (;;) {
      // If another worker claims the partition after the second read below, that worker starts at the checkpoint that
      // it finds. Writing a higher checkpoint is still safe: everything up to it is durable, and no later write lowers
      // it.
      const before = await this.#read(group, 'checkpoint', partitionId);
      const stands = checkpointIn(before?.metadata);
      const claim = await this.#read(group, 'ownership', partitionId);
      if (claim?.metadata?.ownerid !== this.#worker) throw new NotTheOwner();
      if (stands !== undefined && stands.sequenceNumber >= sequenceNumber) return;
      try {
        if (before === undefined) await blob.upload('', 0, { metadata, conditions: { ifNoneMatch: '*' } });
        else await blob.setMetadata(metadata, { conditions: { ifMatch: before.etag } });
        return;
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
    }
  }

  async *#list(group: GroupOfHub, kind: 'checkpoint' | 'ownership') {
    const prefix = blobName(group, kind, '');
    const listed = this.#container.listBlobsFlat({ prefix, includeMetadata: true });
    for await (const blob of listed) yield { ...blob, partitionId: blob.name.slice(prefix.length) };
  }

  /** Returns the metadata of a blob; undefined if it does not exist. */
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

/** Whether another worker has written the blob since this worker read it. */
function isOvertaken(error: unknown): boolean {
  const { statusCode } = error as { statusCode?: number };
  return statusCode === 412 || statusCode === 409;
}

function blobName(
  { fullyQualifiedNamespace, eventHubName, consumerGroup }: GroupOfHub,
  kind: 'checkpoint' | 'ownership',
  partitionId: string,
): string {
  return `${[fullyQualifiedNamespace, eventHubName, consumerGroup].join('/').toLowerCase()}/${kind}/${partitionId}`;
}

function checkpointIn(metadata: Record<string, string> | undefined): StoredCheckpoint | undefined {
  const sequenceNumber = Number.parseInt(metadata?.sequencenumber ?? '', 10);
  if (Number.isNaN(sequenceNumber)) return undefined;
  const first = Number.parseInt(metadata?.first ?? '0', 10);
  const stored = { sequenceNumber, offset: metadata?.offset ?? '', first: Number.isNaN(first) ? 0 : first };
  return metadata?.streams === undefined ? stored : { ...stored, streams: metadata.streams };
}
