import { AortaError, within } from '@aorta/runtime';
import type { BlobServiceClient, ContainerClient } from '@azure/storage-blob';
import { HubError } from '../errors.ts';
import { conditionOf } from '../hub-error.ts';
import { platformCredential, proxyOptions } from '../namespace.ts';
import type { EventHubsSettings } from '../options.ts';
import { BlobCheckpoints } from './blob-store.ts';
import { FileCheckpoints } from './file-store.ts';

export type OpenCheckpoints = FileCheckpoints | BlobCheckpoints;

type CheckpointSettings = Pick<EventHubsSettings, 'checkpoints' | 'identity' | 'proxy'>;

/** Maximum time for the storage account to answer when the checkpoint store is opened, in milliseconds. */
const ANSWER_MS = 10_000;

/** A storage account feature that keeps copies of overwritten blobs. */
type Kept = 'soft delete' | 'versioning';

/** Number of listed blobs to examine. Every copy is listed next to its blob, so the first few entries are enough. */
const LOOKED_AT = 50;

/**
 * Returns the enabled features that keep copies of overwritten blobs. With either feature, every checkpoint write adds a
 * copy. If the identity may not read the account's properties, soft delete is detected from the copies in a listing.
 */
async function keptBy(service: BlobServiceClient, container: ContainerClient): Promise<Kept[]> {
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

/**
 * Opens the configured checkpoint store. `folder` is the default folder for a store in files. Rejects with
 * AORTA-CHECKPOINTS-UNREACHABLE if the container cannot be opened. Calls `onKept` with AORTA-CHECKPOINTS-KEPT if the
 * storage account keeps copies of overwritten blobs.
 */
export async function openCheckpoints(
  settings: CheckpointSettings,
  folder: string,
  worker: string,
  onKept?: (error: AortaError) => void,
): Promise<OpenCheckpoints> {
  const { checkpoints } = settings;
  if (checkpoints.type === 'file') return new FileCheckpoints(checkpoints.folder ?? folder, worker);
  const service = await openService(settings);
  const container = service.getContainerClient(checkpoints.container);
  if (!(await exists(container))) throw unreachable(checkpoints.container, 'it does not exist');
  if (onKept === undefined) return new BlobCheckpoints(container, worker);
  const told = new Set<Kept>();
  const tell = (kept: Kept): void => {
    if (told.has(kept)) return;
    told.add(kept);
    onKept(new HubError('AORTA-CHECKPOINTS-KEPT', { container: checkpoints.container, kept }));
  };
  // If the account denies this check or does not answer, the store opens without the check.
  for (const kept of await within(ANSWER_MS, keptBy(service, container)).catch(() => [])) tell(kept);
  return new BlobCheckpoints(container, worker, () => tell('versioning'));
}

async function exists(container: ContainerClient): Promise<boolean> {
  try {
    return await within(ANSWER_MS, container.exists());
  } catch (error) {
    throw unreachable(container.containerName, conditionOf(error));
  }
}

function unreachable(container: string, problem: string): AortaError {
  return new HubError('AORTA-CHECKPOINTS-UNREACHABLE', { container, problem });
}

async function openService(settings: CheckpointSettings): Promise<BlobServiceClient> {
  const { checkpoints } = settings;
  if (checkpoints.type !== 'blob') throw new AortaError('AORTA-BUG', { place: 'event-hubs', problem: 'no container' });
  // The library is large, so it is loaded only if needed.
  const { BlobServiceClient } = await import('@azure/storage-blob');
  // Callers have their own deadlines, which the library's default retries would exceed.
  const retryOptions = { maxTries: 2, tryTimeoutInMs: 5000, retryDelayInMs: 200, maxRetryDelayInMs: 1000 };
  const options = { retryOptions, ...proxyOptions(settings) };
  try {
    return checkpoints.connection === undefined
      ? new BlobServiceClient(checkpoints.url!, await platformCredential(settings), options)
      : BlobServiceClient.fromConnectionString(checkpoints.connection, options);
  } catch (error) {
    throw unreachable(checkpoints.container, conditionOf(error));
  }
}
