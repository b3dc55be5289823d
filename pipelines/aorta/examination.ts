import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { brokersOf, type EventHubsSettings, hubsOf, type KafkaSettings } from '@aorta/consumers';
import type { ProbedTopic } from '@aorta/consumers/kafka';
import { openServiceClient } from '@aorta/service-client';
import { inUse, type KafkaStreamsSettings, planTopics } from '@aorta/streams';
import { AortaError, DeadlinePassed, isAortaError, silentLogger, within } from '@aorta/telemetry';
import { ConfigurationRefused, readSetting, type Setting, type SettingOptions } from './configuration/configuration.ts';
import { type Finding, failure } from './examination/finding.ts';
import { warehouse } from './examination/warehouse.ts';
import { bytes, counted } from './printing/quantity.ts';
import { behindOf, reachOf, withStreams, writerOf } from './reading.ts';
import { checkpointsFolder } from './sources.ts';
import type { Surroundings } from './surroundings.ts';
import { askTopics, partitionsOf } from './topics.ts';

const oldestNode = 24;
/** Below this a merge may run out of space: it writes a table's rows a second time. */
const littleSpace = 2e9;
const noSpace = 100e6;

/** Nobody looks at a screen for long: a peer that has not answered by then is told so. */
const CONNECT_S = 4;
const ANSWER_S = 10;
/** What none of a check's own deadlines has ended: many calls, each answered late. */
const CHECK_MS = 60_000;

/** Looks at everything that a run needs. A check that cannot be made is a finding, never an error. */
export async function examine(options: SettingOptions, surroundings: Surroundings): Promise<readonly Finding[]> {
  const findings: Finding[] = [nodeVersion(process.versions.node)];
  let setting: Setting;
  try {
    setting = readSetting(options, surroundings.environment, surroundings.folder);
    findings.push({ check: 'configuration', state: 'ok', found: setting.file ?? 'defaults, as there is no aorta.yaml' });
  } catch (error) {
    return [...findings, ...refusals(error)];
  }
  const quick = hurried(setting);
  const checks: readonly (readonly [string, Promise<Finding | undefined | readonly (Finding | undefined)[]>])[] = [
    ['sources', paths(setting)],
    ['streams folder', folderOf('streams folder', setting.place.streams)],
    ['data folder', folderOf('data folder', dirname(setting.place.warehouse))],
    ['lock', lock(setting)],
    ['streams', streams(quick)],
    ['hubs', eventHubs(setting)],
    ['kafka', kafka(quick)],
    ['service', service(setting)],
    ['warehouse', warehouse(quick)],
  ];
  // Beside each other: peers that are absent take no longer than the slowest of them.
  const found = await Promise.all(checks.map(([check, work]) => bounded(check, work)));
  return [...findings, ...found.flat()].filter((finding) => finding !== undefined);
}

/** The setting with less patience for peers than a run has. */
function hurried(setting: Setting): Setting {
  const { configuration } = setting;
  const { sources, warehouse: at } = configuration;
  const quicker =
    at.type === 'bigquery' ? { ...at, call_s: Math.min(at.call_s, ANSWER_S), patience_s: Math.min(at.patience_s, ANSWER_S) } : at;
  const quick = sources.map((source) =>
    source.type === 'kafka'
      ? { ...source, connect_s: Math.min(source.connect_s, CONNECT_S), request_s: Math.min(source.request_s, ANSWER_S) }
      : source,
  );
  return { ...setting, configuration: { ...configuration, sources: quick, warehouse: quicker } };
}

async function bounded<T>(check: string, work: Promise<T>): Promise<T | Finding> {
  try {
    return await within(CHECK_MS, work);
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error;
    const remedy = 'Look at the network between this machine and that peer, and start again.';
    return { check, state: 'fail', found: `not done within ${CHECK_MS / 1000} s`, remedy };
  }
}

function nodeVersion(version: string): Finding {
  const found = `Node ${version}`;
  if (Number.parseInt(version, 10) >= oldestNode) return { check: 'node', state: 'ok', found };
  return { check: 'node', state: 'fail', found, remedy: `Aorta needs Node ${oldestNode} or newer.` };
}

function refusals(error: unknown): Finding[] {
  if (error instanceof ConfigurationRefused) return error.problems.flatMap(refusals);
  return [failure('configuration', error)];
}

async function paths({ configuration }: Setting): Promise<Finding | undefined> {
  const check = 'sources';
  const files = configuration.sources.filter((source) => source.type === 'files');
  if (files.length === 0) return undefined;
  const missing: string[] = [];
  for (const path of files.flatMap((source) => source.paths)) {
    await access(path, constants.R_OK).catch(() => missing.push(path));
  }
  if (missing.length === 0) return { check, state: 'ok', found: `${counted(files.length, 'source')}, every path can be read` };
  return {
    check,
    state: 'warn',
    found: `cannot be read: ${missing.join(', ')}`,
    remedy: 'Make the folders, or correct the paths of the sources.',
  };
}

/** Every hub that is configured, and the checkpoints: reached, and what they answered. */
async function eventHubs({ configuration, place }: Setting): Promise<readonly Finding[]> {
  const sources = configuration.sources.filter((source) => source.type === 'event-hubs');
  if (sources.length === 0) return [];
  const { openNamespace, probeHub } = await import('@aorta/consumers/event-hubs');
  const worker = 'doctor';
  const findings: Promise<Finding | readonly Finding[]>[] = sources.flatMap((source) => [
    ...hubsOf(source).map(async (hub): Promise<Finding> => {
      const check = `hub ${hub}`;
      try {
        const namespace = await openNamespace(source, worker);
        const { partitions } = await probeHub(namespace, hub);
        const events = [...partitions.values()].reduce((sum, { begin, end }) => sum + end - begin, 0);
        const found = `${counted(partitions.size, 'partition')} with ${counted(events, 'event')}, group ${source.consumer_group} at ${namespace.host}`;
        return { check, state: 'ok', found };
      } catch (error) {
        return failure(check, error);
      }
    }),
    checkpoints(source, checkpointsFolder(place.streams, source.name)),
  ]);
  return (await Promise.all(findings)).flat();
}

/** The checkpoints of a source of event hubs: opened, and whether the storage account keeps what they overwrite. */
async function checkpoints(source: EventHubsSettings, folder: string): Promise<readonly Finding[]> {
  const check = 'checkpoints';
  const { openCheckpoints } = await import('@aorta/consumers/event-hubs');
  const warnings: Finding[] = [];
  try {
    await openCheckpoints(source, folder, 'doctor', (error) => warnings.push(failure(check, error, 'warn')));
    return [{ check, state: 'ok', found: checkpointsAt(source) }, ...warnings];
  } catch (error) {
    return [failure(check, error)];
  }
}

/** The service's REST API: asked for one user, with patience for seconds only. */
async function service({ configuration }: Setting): Promise<Finding | undefined> {
  const { service: settings } = configuration;
  if (settings === undefined) return undefined;
  const check = 'service';
  try {
    const client = openServiceClient({ ...settings, deadline_s: Math.min(5, settings.deadline_s), deadline_total_s: 5 });
    const { value } = await client.users({ offset: 0, limit: 1 });
    const users = value.total === undefined ? 'the key is known' : counted(value.total, 'user');
    return { check, state: 'ok', found: `${users} at ${new URL(settings.base_url).host}` };
  } catch (error) {
    return failure(check, error);
  }
}

/** Every topic that is configured: reached, where the group stands in it, and whose time its records have. */
async function kafka({ configuration }: Setting): Promise<readonly Finding[]> {
  const sources = configuration.sources.filter((source) => source.type === 'kafka');
  if (sources.length === 0) return [];
  const [{ connectionOf, misplaced, probeTopics, waiting }, { openKafka }] = await Promise.all([
    import('@aorta/consumers/kafka'),
    import('@aorta/kafka-client'),
  ]);
  const findings = sources.map(async (source): Promise<readonly Finding[]> => {
    const check = `kafka ${source.name}`;
    try {
      const client = openKafka(await connectionOf(source), { logger: silentLogger });
      try {
        const topics = await probeTopics(client.admin, source);
        if (topics.length === 0) return [noTopic(check, source)];
        return topics.flatMap((topic) => [
          ...topicFindings(topic, source, waiting(topic)),
          ...misplaced(topic).map(({ partition, committed, low, end }): Finding => {
            const place = { group: source.consumer_group, partition: `${topic.topic}/${partition}`, committed };
            const error =
              committed < low
                ? new AortaError('AORTA-KAFKA-OFFSET-EXPIRED', { ...place, low, records: low - committed })
                : new AortaError('AORTA-KAFKA-OFFSET-BEYOND', { ...place, end });
            return failure(
              `topic ${topic.topic}`,
              error,
              committed < low && source.when_expired === 'continue' ? 'warn' : 'fail',
            );
          }),
        ]);
      } finally {
        await client.close();
      }
    } catch (error) {
      return [failure(check, error)];
    }
  });
  return (await Promise.all(findings)).flat();
}

function noTopic(check: string, source: KafkaSettings): Finding {
  return {
    check,
    state: 'warn',
    found: `no topic at ${brokersOf(source).join(', ')} matches topics_regex`,
    remedy: 'Correct it, or wait for such a topic: it is found when it comes.',
  };
}

function topicFindings({ topic, partitions, timestamps }: ProbedTopic, source: KafkaSettings, behind: number): Finding[] {
  const check = `topic ${topic}`;
  const found = `${counted(partitions.length, 'partition')}, ${counted(behind, 'record')} ahead of the group ${source.consumer_group} at ${brokersOf(source).join(', ')}`;
  if (timestamps !== 'CreateTime') return [{ check, state: 'ok', found }];
  return [
    { check, state: 'ok', found },
    {
      check,
      state: 'warn',
      found: 'the time of its records is the producers’ (message.timestamp.type is CreateTime), and may run backwards',
      remedy:
        'The newest of several deliveries is told by that time. Set message.timestamp.type=LogAppendTime for the topic, unless its only producer has one clock.',
    },
  ];
}

function checkpointsAt({ name, checkpoints }: EventHubsSettings): string {
  return checkpoints.type === 'blob'
    ? `of ${name} in the container ${checkpoints.container}`
    : `of ${name} in files${checkpoints.folder === undefined ? ' beside the streams' : ` in ${checkpoints.folder}`}`;
}

/** The folder, or what there is of it, must be writable and have space. */
async function folderOf(check: string, folder: string): Promise<Finding> {
  const there = await nearest(folder);
  try {
    await access(there, constants.W_OK | constants.X_OK);
  } catch {
    return {
      check,
      state: 'fail',
      found: `${there} cannot be written`,
      remedy: 'Check its permissions, or name another place with --data or in the configuration.',
    };
  }
  const { bavail, bsize } = await statfs(there);
  const free = bavail * bsize;
  const found = `${folder}${there === folder ? '' : ' (will be made)'}, ${bytes(free)} free`;
  if (free < noSpace) return { check, state: 'fail', found, remedy: 'Free some space: nothing can be written.' };
  if (free < littleSpace)
    return { check, state: 'warn', found, remedy: 'Free some space: a merge writes rows a second time before the old ones go.' };
  return { check, state: 'ok', found };
}

async function nearest(folder: string): Promise<string> {
  try {
    await access(folder, constants.F_OK);
    return folder;
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : nearest(parent);
  }
}

async function lock(setting: Setting): Promise<Finding> {
  const check = 'lock';
  const writer = writerOf(setting);
  if (writer === undefined) return { check, state: 'ok', found: 'free' };
  if (!writer.running)
    return { check, state: 'ok', found: `left by process ${writer.pid}, which has ended; the next run takes it over` };
  return { check, state: 'ok', found: `held by process ${writer.pid} on ${writer.host}, which is writing` };
}

async function topics(settings: KafkaStreamsSettings): Promise<Finding> {
  const check = 'streams';
  try {
    const patience = { connectMs: CONNECT_S * 1000, requestMs: ANSWER_S * 1000 };
    const differences = await askTopics(settings, (admin) => planTopics(admin, settings), patience);
    const missing = differences.filter(({ kind }) => kind === 'missing').length;
    if (missing > 0)
      return { check, state: 'fail', found: `${counted(missing, 'topic')} missing`, remedy: 'aorta apply makes them.' };
    const partitions = await partitionsOf(settings, patience);
    const behind = partitions.reduce((sum, { lag }) => sum + lag, 0);
    const found = `the topics are there; ${counted(behind, 'record')} not in the tables yet`;
    if (differences.length === 0) return { check, state: 'ok', found };
    return { check, state: 'warn', found: `${found}; they differ from the configuration`, remedy: 'aorta plan says in what.' };
  } catch (error) {
    return failure(check, error);
  }
}

async function streams(setting: Setting): Promise<Finding> {
  const check = 'streams';
  if (setting.configuration.streams.type === 'kafka') return topics(setting.configuration.streams);
  try {
    // Where the tables cannot be asked, the check of the warehouse says why.
    const reach = reachOf(setting).catch(() => undefined);
    const [names, behind] = await withStreams(setting, async (log) => {
      const present = inUse(log);
      // Reading the last record of each is what shows that its segments are whole.
      for (const of of present) {
        await log.read(of, Math.max(log.start(of), log.end(of) - 1), { records: 1, bytes: 1 });
        await log.read(of, log.end(of), { records: 1, bytes: 1 });
      }
      const at = await reach;
      return [present, at && present.reduce((sum, of) => sum + behindOf(log, of, at), 0)] as const;
    });
    const found = `${counted(names.length, 'stream')} can be read`;
    if (behind === undefined) return { check, state: 'ok', found: `${found}; how much of them is in the tables is not known` };
    if (behind === 0 || writerOf(setting)?.running) return { check, state: 'ok', found };
    return {
      check,
      state: 'warn',
      found: `${found}; ${counted(behind, 'record')} not in the tables yet`,
      remedy: 'aorta run --only jobs --once brings them there.',
    };
  } catch (error) {
    if (isAortaError(error) && error.code === 'AORTA-STREAMS-MISSING') return { check, state: 'ok', found: 'none yet' };
    return failure(check, error);
  }
}
