import type { BlobServiceClient, ContainerClient } from '@azure/storage-blob';

/** A storage account feature that keeps copies of overwritten blobs. */
export type Kept = 'soft delete' | 'versioning';

/** Number of listed blobs to examine. Every copy is listed next to its blob, so the first few entries are enough. */
const LOOKED_AT = 50;

/**
 * Returns the enabled features that keep copies of overwritten blobs. With either feature, every checkpoint write adds a
 * copy. If the identity may not read the account's properties, soft delete is detected from the copies in a listing.
 */
export async function keptBy(service: BlobServiceClient, container: ContainerClient): Promise<Kept[]> {
  const [softDelete, versioning] = await Promise.all([
    hasSoftDelete(service, container),
    hasListed(container, { includeVersions: true }, ({ versionId }) => versionId !== undefined),
  ]);
  return [...(softDelete ? (['soft delete'] as const) : []), ...(versioning ? (['versioning'] as const) : [])];
}

async function hasSoftDelete(service: BlobServiceClient, container: ContainerClient): Promise<boolean> {
  try {
    return (await service.getProperties()).deleteRetentionPolicy?.enabled === true;
  } catch {
    return hasListed(container, { includeDeleted: true, includeSnapshots: true }, ({ deleted }) => deleted === true);
  }
}

type ListOptions = NonNullable<Parameters<ContainerClient['listBlobsFlat']>[0]>;
interface Listed {
  readonly deleted?: boolean;
  readonly versionId?: string;
}

async function hasListed(container: ContainerClient, options: ListOptions, isSign: (blob: Listed) => boolean): Promise<boolean> {
  try {
    for await (const { segment } of container.listBlobsFlat(options).byPage({ maxPageSize: LOOKED_AT }))
      return segment.blobItems.some(isSign);
  } catch {
    // Accounts with a hierarchical namespace do not support versions, and reject a request to list them.
  }
  return false;
}
