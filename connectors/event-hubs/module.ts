import { counted } from '@aorta/runtime/quantity';
import { type Finding, failure } from '../adapter.ts';
import type { ClaimsOfWorker, ProbeSurroundings, Source, SourceSurroundings } from '../source.ts';
import { releaseClaims } from './checkpoints/checkpoints.ts';
import { openCheckpoints } from './checkpoints/open.ts';
import { probeHub } from './hub.ts';
import { openNamespace } from './namespace.ts';
import { type EventHubsSettings, hubsOf } from './options.ts';
import { EventHubsSource } from './source.ts';

/** Returns the default folder for a source's checkpoint files. */
function checkpointsFolder(state: string): string {
  return `${state}.checkpoints`;
}

export async function open(settings: EventHubsSettings, surroundings: SourceSurroundings): Promise<Source> {
  return new EventHubsSource({ ...surroundings, settings, folder: checkpointsFolder(surroundings.state) });
}

export async function release(settings: EventHubsSettings, { worker, state }: ClaimsOfWorker): Promise<void> {
  const store = await openCheckpoints(settings, checkpointsFolder(state), worker);
  const { host, group } = await openNamespace(settings, worker);
  for (const hub of hubsOf(settings)) {
    await releaseClaims(store, { fullyQualifiedNamespace: host, eventHubName: hub, consumerGroup: group }, worker);
  }
}

const WORKER = 'doctor';

/** Checks that every configured hub and every checkpoint store can be reached. */
export async function probe(sources: readonly EventHubsSettings[], { stateOf }: ProbeSurroundings): Promise<readonly Finding[]> {
  const findings: Promise<readonly Finding[]>[] = sources.flatMap((source) => [
    ...hubsOf(source).map(async (hub) => [await hubFinding(source, hub)]),
    checkpointFindings(source, checkpointsFolder(stateOf(source.name))),
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

/** Opens the checkpoint store of a source, and warns if the storage account keeps copies of overwritten blobs. */
async function checkpointFindings(source: EventHubsSettings, folder: string): Promise<readonly Finding[]> {
  const check = 'checkpoints';
  const warnings: Finding[] = [];
  try {
    await openCheckpoints(source, folder, WORKER, (error) => warnings.push(failure(check, error, 'warn')));
    return [{ check, state: 'ok', found: checkpointsAt(source) }, ...warnings];
  } catch (error) {
    return [failure(check, error)];
  }
}

function checkpointsAt({ name, checkpoints }: EventHubsSettings): string {
  return checkpoints.type === 'blob'
    ? `of ${name} in the container ${checkpoints.container}`
    : `of ${name} in files${checkpoints.folder === undefined ? ' next to the streams' : ` in ${checkpoints.folder}`}`;
}
