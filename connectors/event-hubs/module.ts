import { within } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { type Finding, failure } from '../adapter.ts';
import type { ClaimsOfWorker, ProbeSurroundings, Source, SourceSurroundings } from '../source.ts';
import { type CommittedPartition, missingRecords, openStreamsId } from '../sources/committed-record.ts';
import { releaseClaims, STORE_MS } from './checkpoints/checkpoints.ts';
import { type OpenCheckpoints, openCheckpoints } from './checkpoints/open.ts';
import { partitionName } from './delivery-of-event.ts';
import { probeHub } from './hub.ts';
import { openNamespace } from './namespace.ts';
import { type EventHubsSettings, hubsOf } from './options.ts';
import { EventHubsSource } from './source.ts';

const WORKER = 'doctor';

/** Returns the default folder for a source's checkpoint files. */
function checkpointsFolder(state: string): string {
  return `${state}.checkpoints`;
}

export async function open(settings: EventHubsSettings, surroundings: SourceSurroundings): Promise<Source> {
  const { state } = surroundings;
  const streams = await openStreamsId(state);
  return new EventHubsSource({ ...surroundings, settings, folder: checkpointsFolder(state), streams });
}

export async function release(settings: EventHubsSettings, { worker, state }: ClaimsOfWorker): Promise<void> {
  const store = await openCheckpoints(settings, checkpointsFolder(state), worker);
  const { host, group } = await openNamespace(settings, worker);
  for (const hub of hubsOf(settings)) {
    await releaseClaims(store, { fullyQualifiedNamespace: host, eventHubName: hub, consumerGroup: group }, worker);
  }
}

/**
 * Checks that every configured hub and every checkpoint store can be reached, and that the streams contain the last event before
 * each checkpoint.
 */
export async function probe(sources: readonly EventHubsSettings[], surroundings: ProbeSurroundings): Promise<readonly Finding[]> {
  const findings: Promise<readonly Finding[]>[] = sources.flatMap((source) => [
    ...hubsOf(source).map(async (hub) => [await hubFinding(source, hub)]),
    checkpointFindings(source, surroundings),
  ]);
  return (await Promise.all(findings)).flat();
}

async function hubFinding(source: EventHubsSettings, hub: string): Promise<Finding> {
  const check = `hub ${hub}`;
  try {
    const namespace = await openNamespace(source, WORKER);
    const partitions = await probeHub(namespace, hub);
    const events = [...partitions.values()].reduce((sum, { begin, end }) => sum + end - begin, 0);
    const found = `${counted(partitions.size, 'partition')} with ${counted(events, 'event')}, group ${source.consumer_group} at ${namespace.host}`;
    return { check, state: 'ok', found };
  } catch (error) {
    return failure(check, error);
  }
}

/**
 * Opens the checkpoint store of a source. Warns if the storage account keeps copies of overwritten blobs, and compares the
 * checkpoints with the streams.
 */
async function checkpointFindings(source: EventHubsSettings, surroundings: ProbeSurroundings): Promise<readonly Finding[]> {
  const check = 'checkpoints';
  const warnings: Finding[] = [];
  try {
    const folder = checkpointsFolder(surroundings.stateOf(source.name));
    const store = await openCheckpoints(source, folder, WORKER, (error) => warnings.push(failure(check, error, 'warn')));
    const group = { source: source.name, group: source.consumer_group };
    const missing = await missingRecords(group, await committedPartitions(source, store), surroundings);
    return [{ check, state: 'ok', found: checkpointsAt(source) }, ...warnings, ...missing];
  } catch (error) {
    return [failure(check, error)];
  }
}

/** Returns the partitions with a checkpoint. A checkpoint before the group's first event marks only where the group started. */
async function committedPartitions(source: EventHubsSettings, store: OpenCheckpoints): Promise<readonly CommittedPartition[]> {
  const { host, group: consumerGroup } = await openNamespace(source, WORKER);
  const lists = hubsOf(source).map(async (hub): Promise<readonly CommittedPartition[]> => {
    const group = { fullyQualifiedNamespace: host, eventHubName: hub, consumerGroup };
    const checkpoints = await within(STORE_MS, store.listCheckpoints(host, hub, consumerGroup));
    return checkpoints
      .filter(({ sequenceNumber, first = 0 }) => sequenceNumber >= first)
      .map(({ partitionId, sequenceNumber, streams }) => ({
        partition: partitionName(hub, partitionId),
        offset: sequenceNumber,
        streams,
        rewind: () => `set \`start_position: earliest\` for the source and delete ${store.placeOf(group, partitionId)}`,
      }));
  });
  return (await Promise.all(lists)).flat();
}

function checkpointsAt({ name, checkpoints }: EventHubsSettings): string {
  return checkpoints.type === 'blob'
    ? `of ${name} in the container ${checkpoints.container}`
    : `of ${name} in files${checkpoints.folder === undefined ? ' next to the streams' : ` in ${checkpoints.folder}`}`;
}
