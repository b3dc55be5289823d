import type { BlobServiceClient, ContainerClient } from '@azure/storage-blob';

/** What a storage account may do with a blob that is overwritten: keep a copy of what it was. */
export type Kept = 'soft delete' | 'versioning';

/** Blobs that are looked at: copies are listed next to their blob, so the first ones tell. */
const LOOKED_AT = 50;

/**
 * What the storage account keeps of overwritten blobs, as far as it tells. With checkpoints every write adds a copy.
 * The properties of the account may be closed to an identity that may write blobs; then the copies themselves tell.
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
    // Accounts with a hierarchical namespace know no versions, and refuse to list them.
  }
  return false;
}
