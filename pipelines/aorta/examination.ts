import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Finding, failure, type SourceAdapter, type SourceSettings } from '@aorta/connectors';
import { openServiceClient } from '@aorta/connectors/service';
import { DeadlinePassed, within } from '@aorta/runtime';
import { bytes, counted } from '@aorta/runtime/quantity';
import { ConfigurationRefused, readSetting, type Setting, type SettingOptions } from './configuration/configuration.ts';
import { sourcesOf } from './configuration/configured-source.ts';
import { configuredStreams, loadedRecords } from './configuration/configured-streams.ts';
import { configuredWarehouse, type WarehouseSetting } from './configuration/configured-warehouse.ts';
import { type Section, sections } from './configuration/sections.ts';
import { warehouse } from './examination/warehouse.ts';
import { callOf, withCommandLines } from './printing/command-lines.ts';
import { reachOf, writerOf } from './reading.ts';
import { stateOf } from './sources.ts';
import type { Surroundings } from './surroundings.ts';

const oldestNode = 24;
/** If fewer bytes are free, a merge may run out of space, because it writes the rows of a table a second time. */
const littleSpace = 2e9;
const noSpace = 100e6;

/** Deadlines, in seconds, for connecting to and calling remote systems. They are short because a person waits for the result. */
const CONNECT_S = 4;
const ANSWER_S = 10;
/** Deadline of a whole check, which may make many slow calls that each meet their own deadline. */
const CHECK_MS = 60_000;

/** The sections whose variables are set. */
type Readable = Setting<never, Section>;

/** A running check: its name, which is reported if the check takes too long, and its findings. */
type Check = readonly [string, Promise<Finding | undefined | readonly (Finding | undefined)[]>];

/** Checks everything that a run needs. If a check fails, the failure becomes a finding; `examine` never rejects. */
export async function examine(options: SettingOptions, surroundings: Surroundings): Promise<readonly Finding[]> {
  const call = callOf(options, surroundings.environment);
  const findings = await findingsOf(options, surroundings);
  return findings.map((one) => (one.remedy === undefined ? one : { ...one, remedy: withCommandLines(one.remedy, call) }));
}

async function findingsOf(options: SettingOptions, surroundings: Surroundings): Promise<readonly Finding[]> {
  const findings: Finding[] = [nodeVersion(process.versions.node)];
  const { setting, findings: ofConfiguration } = readable(options, surroundings);
  findings.push(...ofConfiguration);
  if (setting === undefined) return findings;
  const quick = hurried(setting);
  const nothing = Promise.resolve(undefined);
  const checks: readonly Check[] = [
    ...sources(setting, (adapter) => !adapter.partitioned),
    ['streams folder', folderOf('streams folder', setting.place.streams)],
    ['data folder', folderOf('data folder', dirname(setting.place.warehouse))],
    ['lock', lock(setting)],
    ['streams', streams(setting, quick)],
    ...sources(setting, (adapter) => adapter.partitioned),
    ['service', service(setting)],
    ['warehouse', quick === undefined ? nothing : warehouse(quick)],
  ];
  // The checks run in parallel. If several remote systems cannot be reached, their delays therefore do not add up.
  const found = await Promise.all(checks.map(([check, work]) => bounded(check, work)));
  return [...findings, ...found.flat()].filter((finding) => finding !== undefined);
}

function sources(setting: Readable, isMeant: (adapter: SourceAdapter) => boolean): Check[] {
  const configured = sourcesOf(setting);
  return setting.registry.sources.filter(isMeant).flatMap((adapter): Check[] => {
    const own = configured.filter((source) => source.adapter === adapter).map(({ settings }) => settings);
    return own.length === 0 ? [] : [[adapter.check, probed(adapter, own, setting)]];
  });
}

async function probed(adapter: SourceAdapter, own: readonly SourceSettings[], { place }: Readable): Promise<readonly Finding[]> {
  try {
    const patience = { connectMs: CONNECT_S * 1000, requestMs: ANSWER_S * 1000 };
    return await (await adapter.load()).probe(own, { stateOf: (name) => stateOf(place.streams, name), patience });
  } catch (error) {
    return [failure(adapter.check, error)];
  }
}

/**
 * Reads the configuration. If only variables are not set, each is a finding, and the sections that do not contain them are
 * still read.
 */
function readable(
  options: SettingOptions,
  { environment, folder }: Pick<Surroundings, 'environment' | 'folder'>,
): { readonly setting?: Readable; readonly findings: readonly Finding[] } {
  try {
    const setting = readSetting(options, environment, folder);
    const found = setting.file ?? 'defaults, as there is no aorta.yaml';
    return { setting, findings: [{ check: 'configuration', state: 'ok', found }] };
  } catch (refused) {
    const findings = refusals(refused);
    try {
      const reads = { opens: [], shows: sections };
      return { setting: readSetting(options, environment, folder, { reads }), findings };
    } catch {
      // More than variables is wrong, or they determine where the data is.
      return { findings };
    }
  }
}

/**
 * Returns the setting with the timeouts of warehouse calls capped at {@link ANSWER_S} seconds. Returns undefined if the
 * warehouse cannot be checked.
 */
function hurried(setting: Readable): Setting<'warehouse' | 'privacy'> | undefined {
  const { configuration } = setting;
  const { warehouse: at, privacy } = configuration;
  if (at === undefined || privacy === undefined) return undefined;
  const read = { ...setting, configuration: { privacy, warehouse: at } };
  const quicker = configuredWarehouse(read).adapter.hurried?.(at, ANSWER_S) ?? at;
  return { ...read, configuration: { privacy, warehouse: quicker } };
}

async function bounded<T>(check: string, work: Promise<T>): Promise<T | Finding> {
  try {
    return await within(CHECK_MS, work);
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error;
    const remedy = 'Check the network between this machine and the peer, then run `aorta doctor` again.';
    return { check, state: 'fail', found: `no result within ${CHECK_MS / 1000} s`, remedy };
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

/** Requests one user from the service's REST API, with a deadline of at most 5 s. */
async function service({ configuration }: Readable): Promise<Finding | undefined> {
  const { service: settings } = configuration;
  if (settings === undefined) return undefined;
  const check = 'service';
  try {
    const client = openServiceClient({ ...settings, deadline_s: Math.min(5, settings.deadline_s), deadline_total_s: 5 });
    const { value } = await client.users({ offset: 0, limit: 1 });
    const users = value.total === undefined ? 'the key is valid' : counted(value.total, 'user');
    return { check, state: 'ok', found: `${users} at ${new URL(settings.base_url).host}` };
  } catch (error) {
    return failure(check, error);
  }
}

/** Checks that the folder, or its nearest existing parent, is writable and has space. */
async function folderOf(check: string, folder: string): Promise<Finding> {
  const there = await nearest(folder);
  try {
    await access(there, constants.W_OK | constants.X_OK);
  } catch {
    return {
      check,
      state: 'fail',
      found: `${there} cannot be written`,
      remedy: 'Check its permissions, or choose a different folder with --data or in the configuration.',
    };
  }
  const { bavail, bsize } = await statfs(there);
  const free = bavail * bsize;
  const found = `${folder}${there === folder ? '' : ' (will be created)'}, ${bytes(free)} free`;
  if (free < noSpace) return { check, state: 'fail', found, remedy: 'Free some space: a run cannot write.' };
  if (free < littleSpace)
    return {
      check,
      state: 'warn',
      found,
      remedy: 'Free some space: a merge writes rows a second time before it deletes the old ones.',
    };
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

async function lock(setting: Readable): Promise<Finding> {
  const check = 'lock';
  const writer = writerOf(setting);
  if (writer === undefined) return { check, state: 'ok', found: 'free' };
  if (!writer.running)
    return { check, state: 'ok', found: `left by process ${writer.pid}, which has ended; the next run takes it over` };
  return { check, state: 'ok', found: `held by process ${writer.pid} on ${writer.host}, which is writing` };
}

/** Checks the streams. Without a warehouse, the check does not know how many records are in the tables. */
async function streams(setting: Readable, warehouse: WarehouseSetting | undefined): Promise<Finding | undefined> {
  const { streams: configured } = setting.configuration;
  if (configured === undefined) return undefined;
  const { adapter, at } = configuredStreams({ ...setting, configuration: { streams: configured } });
  const { probe } = await adapter.load();
  const how = { isWritten: () => writerOf(setting)?.running === true, connectMs: CONNECT_S * 1000, requestMs: ANSWER_S * 1000 };
  return probe(
    at,
    loadedRecords(async () =>
      warehouse === undefined ? Promise.reject(new Error('The warehouse was not read.')) : reachOf(warehouse),
    ),
    how,
  );
}
