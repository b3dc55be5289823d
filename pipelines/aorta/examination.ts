import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { brokersOf, type EventHubsSettings, hubsOf, type KafkaSettings } from '@aorta/consumers';
import type { ProbedTopic } from '@aorta/consumers/kafka';
import { openServiceClient } from '@aorta/service-client';
import { inUse, type KafkaStreamsSettings, planTopics } from '@aorta/streams';
import { AortaError, isAortaError, silentLogger } from '@aorta/telemetry';
import { notLanded, type WarehouseReader } from '@aorta/warehouse';
import { ConfigurationRefused, readSetting, type Setting, type SettingOptions } from './configuration/configuration.ts';
import { warehousePlace } from './configuration/warehouse-place.ts';
import { bytes, count, counted, duration } from './printing/quantity.ts';
import { behindOf, isUnpublished, openReader, reachOf, withStreams, writerOf } from './reading.ts';
import { checkpointsFolder } from './sources.ts';
import type { Surroundings } from './surroundings.ts';
import { askTopics, partitionsOf } from './topics.ts';

/** What one check of `doctor` came to. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What to do, where something is. */
  readonly remedy?: string;
}

const oldestNode = 24;
/** Below this a merge may run out of space: it writes a table's rows a second time. */
const littleSpace = 2e9;
const noSpace = 100e6;

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
  return [
    ...findings,
    ...(await Promise.all([
      paths(setting),
      folderOf('streams folder', setting.place.streams),
      folderOf('data folder', dirname(setting.place.warehouse)),
      lock(setting),
      streams(setting),
    ])),
    ...(await eventHubs(setting)),
    ...(await kafka(setting)),
    await service(setting),
    ...(await warehouse(setting)),
  ].filter((finding) => finding !== undefined);
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

/** An error as a finding. Of one that is not ours only the kind is told, as its message may quote a value. */
function failure(check: string, error: unknown, state: 'warn' | 'fail' = 'fail'): Finding {
  if (isAortaError(error)) return { check, state, found: error.message, remedy: error.remedy };
  const kind = (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.name : typeof error);
  return { check, state, found: `could not be checked (${kind})` };
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
  const { openCheckpoints, openNamespace, probeHub } = await import('@aorta/consumers/event-hubs');
  const worker = 'doctor';
  const findings = sources.flatMap((source) => [
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
    openCheckpoints(source, checkpointsFolder(place.streams, source.name), worker).then(
      (): Finding => ({ check: 'checkpoints', state: 'ok', found: checkpointsAt(source) }),
      (error: unknown) => failure('checkpoints', error),
    ),
  ]);
  return Promise.all(findings);
}

/** Every topic that is configured: reached, where the group stands in it, and whose time its records have. */
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
      const client = openKafka(await connectionOf(quicker(source)), { logger: silentLogger });
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

/** Nobody looks at a screen for long: what has not answered by then is told so. */
function quicker(source: KafkaSettings): KafkaSettings {
  return { ...source, connect_s: Math.min(source.connect_s, 4), request_s: Math.min(source.request_s, 10) };
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
    const differences = await askTopics(settings, (admin) => planTopics(admin, settings));
    const missing = differences.filter(({ kind }) => kind === 'missing').length;
    if (missing > 0)
      return { check, state: 'fail', found: `${counted(missing, 'topic')} missing`, remedy: 'aorta apply makes them.' };
    const partitions = await partitionsOf(settings);
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
    const reach = await reachOf(setting);
    const [names, behind] = await withStreams(setting, async (log) => {
      const present = inUse(log);
      // Reading the last record of each is what shows that its segments are whole.
      for (const of of present) {
        await log.read(of, Math.max(log.start(of), log.end(of) - 1), { records: 1, bytes: 1 });
        await log.read(of, log.end(of), { records: 1, bytes: 1 });
      }
      return [present, present.reduce((sum, of) => sum + behindOf(log, of, reach), 0)] as const;
    });
    const found = `${counted(names.length, 'stream')} can be read`;
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

/** The dataset and its tables: reached, and what merges wait for. */
async function bigQuery(setting: Setting): Promise<Finding[]> {
  const check = 'warehouse';
  try {
    const reader = await openReader(setting);
    try {
      const rows = Object.values(await reader.rows()).reduce((sum, one) => sum + one, 0);
      const { days, waits } = await reader.costs!(1);
      const found = `${warehousePlace(setting)} answers, ${count(rows)} rows; ${bytes(days[0]?.billedBytes ?? 0)} billed today`;
      const waited = waits.map(({ reason, times }) => `${reason} (${counted(times, 'time')})`).join('; ');
      const limits: Finding =
        waits.length === 0
          ? { check: 'quotas', state: 'ok', found: 'nothing was waited for in the last hour' }
          : {
              check: 'quotas',
              state: 'warn',
              found: `waited for in the last hour: ${waited}`,
              remedy: 'Where that lasts, tables fall behind. docs/guides/bigquery.md says what each limit is about.',
            };
      return [{ check, state: 'ok', found }, limits, await privacy(reader, setting)];
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (isUnpublished(error))
      return [{ check, state: 'ok', found: `no tables yet in ${warehousePlace(setting)}: the first run makes them` }];
    return [failure(check, error)];
  }
}

async function warehouse(setting: Setting): Promise<Finding[]> {
  const check = 'warehouse';
  if (setting.configuration.warehouse.type === 'bigquery') return bigQuery(setting);
  try {
    const reader = await openReader(setting);
    try {
      const rows = Object.values(await reader.rows()).reduce((sum, one) => sum + one, 0);
      const { rows: batches } = await reader.query('select version() as version');
      let version = '';
      for await (const batch of batches) version = String(batch[0]?.[0] ?? version);
      return [
        { check, state: 'ok', found: `${warehousePlace(setting)} opens, ${count(rows)} rows` },
        { check: 'duckdb', state: 'ok', found: `DuckDB ${version}` },
        published(reader.publishedAt),
        await privacy(reader, setting),
      ];
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (isUnpublished(error)) return [{ check, state: 'ok', found: `none yet at ${setting.place.warehouse}` }];
    return [failure(check, error)];
  }
}

/** Whether the tables hold what the configuration keeps out of them: from before a class was switched off. */
async function privacy(reader: WarehouseReader, { configuration }: Setting): Promise<Finding> {
  const check = 'privacy';
  const left = await reader.withheldValues(configuration.privacy);
  if (left.length === 0)
    return { check, state: 'ok', found: `not in the tables: ${notLanded(configuration.privacy).join(', ')}` };
  return {
    check,
    state: 'warn',
    found: `still in the tables: ${left.map(({ table, column, values }) => `${table}.${column} (${counted(values, 'value')})`).join(', ')}`,
    remedy: 'They were landed before that was switched off. Make the tables again from the streams: see the runbook.',
  };
}

function published(at: string | undefined): Finding {
  const check = 'published copy';
  if (at === undefined)
    return {
      check,
      state: 'warn',
      found: 'none: readers open the warehouse itself, which nobody can write meanwhile',
      remedy: 'aorta run --only jobs --once publishes one.',
    };
  return { check, state: 'ok', found: `${duration(Math.max(0, Date.now() - Date.parse(at)))} old (${at})` };
}
