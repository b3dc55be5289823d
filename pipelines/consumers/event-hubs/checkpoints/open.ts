import { AortaError, within } from '@aorta/telemetry';
import type { ContainerClient } from '@azure/storage-blob';
import { conditionOf } from '../hub-error.ts';
import { platformCredential } from '../namespace.ts';
import type { EventHubsSettings } from '../options.ts';
import { proxyOptions } from '../web-sockets.ts';
import { BlobCheckpoints } from './blob-store.ts';
import type { Checkpoints } from './checkpoints.ts';
import { FileCheckpoints } from './file-store.ts';

type CheckpointSettings = Pick<EventHubsSettings, 'checkpoints' | 'identity' | 'proxy'>;

/** Milliseconds that the storage account may take to answer at the start. */
const ANSWER_MS = 10_000;

/** The checkpoints of the settings, in `folder` where they are files and the settings name none. Rejects with AORTA-CHECKPOINTS-UNREACHABLE. */
export async function openCheckpoints(settings: CheckpointSettings, folder: string, worker: string): Promise<Checkpoints> {
  const { checkpoints } = settings;
  if (checkpoints.type === 'file') return new FileCheckpoints(checkpoints.folder ?? folder, worker);
  const container = await openContainer(settings);
  try {
    if (await within(ANSWER_MS, container.exists())) return new BlobCheckpoints(container, worker);
  } catch (error) {
    throw unreachable(checkpoints.container, conditionOf(error));
  }
  throw unreachable(checkpoints.container, 'there is no such container');
}

function unreachable(container: string, problem: string): AortaError {
  return new AortaError('AORTA-CHECKPOINTS-UNREACHABLE', { container, problem });
}

async function openContainer(settings: CheckpointSettings): Promise<ContainerClient> {
  const { checkpoints } = settings;
  if (checkpoints.type !== 'blob') throw new AortaError('AORTA-BUG', { place: 'event-hubs', problem: 'no container' });
  // Loaded only where it is needed: it is large.
  const { BlobServiceClient } = await import('@azure/storage-blob');
  // Whoever waits has a deadline of his own; the library's retries would outlast it.
  const retryOptions = { maxTries: 2, tryTimeoutInMs: 5000, retryDelayInMs: 200, maxRetryDelayInMs: 1000 };
  const options = { retryOptions, ...proxyOptions(settings) };
  try {
    const service =
      checkpoints.connection === undefined
        ? new BlobServiceClient(checkpoints.url!, await platformCredential(settings), options)
        : BlobServiceClient.fromConnectionString(checkpoints.connection, options);
    return service.getContainerClient(checkpoints.container);
  } catch (error) {
    throw unreachable(checkpoints.container, conditionOf(error));
  }
}
