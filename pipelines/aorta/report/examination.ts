import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type Finding,
  failure,
  notLanded,
  type ProbeOfStreams,
  type ProbeSurroundings,
  type SourceAdapter,
  type SourceSettings,
  type TableDifference,
  type WarehouseReader,
} from '@aorta/connectors';
import { openServiceClient } from '@aorta/connectors/service';
import { DeadlinePassed, damageInFolder, explained, systemCode, within } from '@aorta/runtime';
import { bytes, count, counted } from '@aorta/runtime/quantity';
import { callOf, withCommandLines } from '../cli/printing/command-lines.ts';
import type { Surroundings } from '../cli/surroundings.ts';
import { configuredStreams, configuredWarehouse, loadedRecords, sourcesOf, type WarehouseSetting } from '../config/adapters.ts';
import { readSetting, type Setting, type SettingOptions } from '../config/configuration.ts';
import { ConfigurationRefused } from '../errors.ts';
import { stateOf } from '../run/sources.ts';
import { isUnpublished, reachOf, writerOf } from './stored-data.ts';

const oldestNode = 24;
/** If fewer bytes are free, a merge may run out of space, because it writes the rows of a table a second time. */
const littleSpace = 2e9;
const noSpace = 100e6;

/** Deadlines, in seconds, for connecting to and calling remote systems. They are short because a person waits for the result. */
const CONNECT_S = 4;
const ANSWER_S = 10;
/** Deadline of a whole check, which may make many slow calls that each meet their own deadline. */
const CHECK_MS = 60_000;

/** Maximum number of differences that one finding names. */
const MOST_NAMED = 8;

type Thoroughness = Pick<ProbeOfStreams, 'deep' | 'repair'>;

/** A running check: its name, which is reported if the check takes too long, and its findings. */
type Check = readonly [string, Promise<Finding | undefined | readonly (Finding | undefined)[]>];

/**
 * Checks everything that a run needs. If a check fails, the failure becomes a finding; `examine` never rejects. With `deep`, also
 * reads all streams, the warehouse and its published copy. With `repair`, also replaces damaged
 * segments of streams.
 */
export async function examine(
  options: SettingOptions & { readonly deep?: true; readonly repair?: true },
  surroundings: Surroundings,
): Promise<readonly Finding[]> {
  const call = callOf(options, surroundings.environment);
  const findings = await findingsOf(options, surroundings, { deep: options.deep === true, repair: options.repair === true });
  return findings.map((one) => (one.remedy === undefined ? one : { ...one, remedy: withCommandLines(one.remedy, call) }));
}

async function findingsOf(options: SettingOptions, surroundings: Surroundings, how: Thoroughness): Promise<readonly Finding[]> {
  const { deep } = how;
  const findings: Finding[] = [nodeVersion(process.versions.node)];
  const { setting, findings: ofConfiguration } = readable(options, surroundings);
  findings.push(...ofConfiguration);
  if (setting === undefined) return findings;
  const quick = hurried(setting);
  const nothing = Promise.resolve(undefined);
  const checks: readonly Check[] = [
    ...sources(setting, deep, (adapter) => !adapter.partitioned),
    ['streams folder', folderOf('streams folder', setting.place.streams)],
    ['data folder', folderOf('data folder', dirname(setting.place.warehouse))],
    ['lock', lock(setting)],
    ['streams', streams(setting, quick, how)],
    ['small files', smallFiles(setting.place.streams)],
    ...sources(setting, deep, (adapter) => adapter.partitioned),
    ['service', service(setting)],
    ['warehouse', quick === undefined ? nothing : warehouse(quick, deep)],
  ];
  // The checks run in parallel. If several remote systems cannot be reached, their delays therefore do not add up.
  const found = await Promise.all(checks.map(([check, work]) => (deep ? work : bounded(check, work))));
  return [...findings, ...found.flat()].filter((finding) => finding !== undefined);
}

function sources(setting: Setting<never>, deep: boolean, isMeant: (adapter: SourceAdapter) => boolean): Check[] {
  const configured = sourcesOf(setting);
  return setting.registry.sources.filter(isMeant).flatMap((adapter): Check[] => {
    const own = configured.filter((source) => source.adapter === adapter).map(({ settings }) => settings);
    return own.length === 0 ? [] : [[adapter.check, probed(adapter, own, setting, deep)]];
  });
}

async function probed(
  adapter: SourceAdapter,
  own: readonly SourceSettings[],
  setting: Setting<never>,
  deep: boolean,
): Promise<readonly Finding[]> {
  const surroundings: ProbeSurroundings = {
    stateOf: (name) => stateOf(setting.place.streams, name),
    patience: { connectMs: CONNECT_S * 1000, requestMs: ANSWER_S * 1000 },
    receipts: async (wanted) => {
      const { streams: configured } = setting.readable;
      if (configured === undefined) return undefined;
      const { adapter: log, at } = configuredStreams({ ...setting, configuration: { streams: configured } });
      return (await log.load()).receipts?.(at, wanted, { deep });
    },
  };
  try {
    return await (await adapter.load()).probe(own, surroundings);
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
): { readonly setting?: Setting<never>; readonly findings: readonly Finding[] } {
  try {
    const setting = readSetting(options, environment, folder);
    const found = setting.file ?? 'defaults, as there is no aorta.yaml';
    return { setting, findings: [{ check: 'configuration', state: 'ok', found }] };
  } catch (refused) {
    const findings = refusals(refused);
    try {
      return { setting: readSetting(options, environment, folder, { needs: ['streams.folder'] }), findings };
    } catch {
      // There is another problem besides unset variables, or the variables determine where the data is.
      return { findings };
    }
  }
}

/**
 * Returns the setting with the timeouts of warehouse calls capped at {@link ANSWER_S} seconds. Returns undefined if the
 * warehouse cannot be checked.
 */
function hurried(setting: Setting<never>): Setting<'warehouse' | 'privacy'> | undefined {
  const { warehouse: at, privacy } = setting.readable;
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
async function service({ readable }: Setting<never>): Promise<Finding | undefined> {
  const { service: settings } = readable;
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
    if (!(await stat(there)).isDirectory()) throw { code: 'ENOTDIR' };
    await access(there, constants.W_OK | constants.X_OK);
  } catch (error) {
    return {
      check,
      state: 'fail',
      found: `${there} cannot be written (${explained(systemCode(error))})`,
      remedy: 'Give this user the permission, or choose a different folder with --data or in the configuration.',
    };
  }
  const { bavail, bsize } = await statfs(there);
  const free = bavail * bsize;
  const found = `${folder}${there === folder ? '' : ' (will be created)'}, ${bytes(free)} free`;
  if (free < noSpace)
    return {
      check,
      state: 'fail',
      found,
      remedy: 'Free some space, or choose a folder on another file system: a run cannot write.',
    };
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

async function lock(setting: Setting<never>): Promise<Finding> {
  const check = 'lock';
  const writer = writerOf(setting);
  if (writer === undefined) return { check, state: 'ok', found: 'free' };
  if (!writer.running)
    return { check, state: 'ok', found: `left by process ${writer.pid}, which has ended; the next run takes it over` };
  return { check, state: 'ok', found: `held by process ${writer.pid} on ${writer.host}, which is writing` };
}

/** Checks the streams. Without a warehouse, the check does not know how many records are in the tables. */
async function streams(
  setting: Setting<never>,
  warehouse: WarehouseSetting | undefined,
  thoroughness: Thoroughness,
): Promise<Finding | undefined> {
  const { streams: configured } = setting.readable;
  if (configured === undefined) return undefined;
  const { adapter, at } = configuredStreams({ ...setting, configuration: { streams: configured } });
  const { probe } = await adapter.load();
  const patience = { connectMs: CONNECT_S * 1000, requestMs: ANSWER_S * 1000 };
  const how = { isWritten: () => writerOf(setting)?.running === true, ...patience, ...thoroughness };
  return probe(
    at,
    loadedRecords(async () =>
      warehouse === undefined ? Promise.reject(new Error('The warehouse was not read.')) : reachOf(warehouse),
    ),
    how,
  );
}

/** Checks the small files in the streams folder, and lists the damaged files that are left in it. */
async function smallFiles(folder: string): Promise<Finding> {
  const check = 'small files';
  try {
    const { damaged, aside } = await damageInFolder(folder);
    if (damaged.length > 0) {
      const remedy =
        'The next run that reads such a file continues without it and reports the consequence, or stops and says what to do. Check the disk.';
      return { check, state: 'fail', found: `damaged in ${folder}: ${listed(damaged)}`, remedy };
    }
    if (aside.length === 0) return { check, state: 'ok', found: 'their checksums are right' };
    return {
      check,
      state: 'warn',
      found: `damaged files were kept in ${folder}: ${listed(aside)}`,
      remedy: 'Do what the runbook says about the damage, then delete these files.',
    };
  } catch (error) {
    return failure(check, error);
  }
}

/**
 * Opens the tables and runs all checks on them: the adapter's own checks, the check of the declared columns, and the privacy
 * check.
 */
async function warehouse(setting: Setting<'warehouse' | 'privacy'>, deep: boolean): Promise<Finding[]> {
  const check = 'warehouse';
  const { adapter, settings } = configuredWarehouse(setting);
  try {
    const { openReader, probe } = await adapter.load();
    await using reader = await openReader(settings);
    return [...(await probe(reader, settings, deep)), await declaredTables(reader, setting), await privacy(reader, setting)];
  } catch (error) {
    if (isUnpublished(error)) return [{ check, state: 'ok', found: adapter.describe(settings).empty }];
    return [failure(check, error)];
  }
}

/** Checks whether the next run can merge into these tables with the configured privacy settings. */
async function declaredTables(reader: WarehouseReader, { configuration }: Setting<'privacy'>): Promise<Finding> {
  const check = 'tables';
  try {
    const differences = await reader.tableDifferences(configuration.privacy);
    const fixedBy = (who: TableDifference['fixedBy']): string | undefined =>
      named(differences.filter((one) => one.fixedBy === who));
    const refused = fixedBy('person');
    if (refused !== undefined) {
      const remedy =
        'Runs fail until this is fixed. Use the version of Aorta that created the tables, or rebuild them from the streams: see the runbook.';
      return { check, state: 'fail', found: refused, remedy };
    }
    const left = fixedBy('apply');
    if (left !== undefined)
      return { check, state: 'fail', found: left, remedy: 'Run `aorta apply` to fix this. Until then, runs fail.' };
    const next = fixedBy('run');
    return {
      check,
      state: 'ok',
      found: next === undefined ? 'columns, nullability and defaults match the declarations' : `the next run changes: ${next}`,
    };
  } catch (error) {
    return failure(check, error);
  }
}

function named(differences: readonly TableDifference[]): string | undefined {
  if (differences.length === 0) return undefined;
  const all = differences.map(({ table, column, what }) => `${table}${column === undefined ? '' : `.${column}`} ${what}`);
  return listed(all);
}

function listed(all: readonly string[]): string {
  const more = all.length - MOST_NAMED;
  return `${all.slice(0, MOST_NAMED).join('; ')}${more > 0 ? `; and ${count(more)} more` : ''}`;
}

/** Checks whether the tables still contain values of a privacy class that is now switched off. */
async function privacy(reader: WarehouseReader, { configuration }: Setting<'privacy'>): Promise<Finding> {
  const check = 'privacy';
  const left = await reader.withheldValues(configuration.privacy);
  if (left.length === 0)
    return { check, state: 'ok', found: `not in the tables: ${notLanded(configuration.privacy).join(', ')}` };
  return {
    check,
    state: 'warn',
    found: `still in the tables: ${left.map(({ table, column, values }) => `${table}.${column} (${counted(values, 'value')})`).join(', ')}`,
    remedy: 'They were landed before their class was switched off. Rebuild the tables from the streams: see the runbook.',
  };
}
