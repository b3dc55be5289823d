import type {
  AppliedDifferences,
  AppliedTopics,
  ApplyProgress,
  TableChoices,
  TopicDifference,
  WarehouseDifference,
} from '@aorta/connectors';
import { AortaError, visible } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import { configuredStreams, configuredWarehouse } from '../../config/adapters.ts';
import { type Setting as ReadSetting, readSetting } from '../../config/configuration.ts';
import { exit } from '../exit.ts';
import { withCommandLines } from '../printing/command-lines.ts';
import { progressOn } from '../printing/progress.ts';
import type { Surroundings } from '../surroundings.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb } from './verb.ts';

const nothing: AppliedTopics = { made: [], grown: [], left: [] };

/** Milliseconds between lines of progress if there is no terminal. */
const LINE_EVERY_MS = 10_000;

interface ApplyFlags extends PlaceFlags {
  readonly json?: true;
  readonly grow?: true;
  readonly dryRun?: true;
  readonly sql?: true;
}

type AnyDifference = TopicDifference | WarehouseDifference;

const needs = ['streams', 'warehouse', 'privacy', 'preferences'] as const;
type Setting = ReadSetting<(typeof needs)[number]>;

export function planCommand(surroundings: Surroundings): Command {
  const command = verb(
    'plan',
    'show what `apply` would change',
    'Compares the topics of the streams with the configuration: missing topics, numbers of partitions and other settings. Compares the BigQuery dataset with the tables, columns and views that Aorta declares. Changes nothing. Local streams and DuckDB need no preparation.',
    ['aorta plan', 'aorta plan --sql', 'aorta plan --json'],
  )
    .option('--sql', 'print the differences in BigQuery as SQL statements')
    .option('--json', 'print a JSON array with one object per difference');
  return action(withPlace(command), async (flags: ApplyFlags) => {
    const setting = readSetting(flags, surroundings.environment, surroundings.folder, { needs });
    await tellPlan(surroundings, flags, setting);
    return exit.done;
  });
}

export function applyCommand(surroundings: Surroundings): Command {
  const command = verb(
    'apply',
    'create missing topics, tables and views',
    'Creates the missing topics of the streams. It never deletes topics or changes their settings; it prints how existing topics differ from the configuration. In BigQuery, it creates the dataset, tables and views, adds columns and widens types. It makes no change that could lose data. Instead, it prints a statement that you can run yourself.',
    ['aorta apply', 'aorta apply --dry-run', 'aorta apply --grow'],
  )
    .option(
      '--grow',
      'add partitions to topics that have fewer than configured; the new records of most users then go to a different partition than before',
    )
    .option('--dry-run', 'same as `aorta plan`')
    .option('--json', 'print a JSON array with one object per remaining difference');
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one command, read from top to bottom
  return action(withPlace(command), async (flags: ApplyFlags) => {
    const setting = readSetting(flags, surroundings.environment, surroundings.folder, { needs });
    if (flags.dryRun) {
      await tellPlan(surroundings, flags, setting);
      return exit.done;
    }
    const { made, grown, left } = await applyTopics(setting, flags.grow === true);
    const tables = await applyTables(setting, surroundings);
    if (!flags.json) {
      const { out } = surroundings.terminal;
      if (made.length > 0) await out.write(`Created ${counted(made.length, 'topic')}.\n`);
      if (grown.length > 0) await out.write(`Added partitions to ${counted(grown.length, 'topic')}.\n`);
      for (const what of ['dataset', 'table', 'view'] as const) {
        const named = (kind: WarehouseDifference['kind']) =>
          new Set(tables.done.filter((one) => one.of === what && one.kind === kind).map(({ name }) => name)).size;
        if (named('create') > 0) await out.write(`Created ${counted(named('create'), what)}.\n`);
        if (named('change') > 0) await out.write(`Changed ${counted(named('change'), what)}.\n`);
      }
    }
    await tell(surroundings, flags, [...left, ...tables.left]);
    const missing = left.find(({ kind }) => kind === 'missing');
    if (missing !== undefined) throw await unmadeTopic(setting, missing.topic);
    await throwUnmade(setting, tables.left);
    return exit.done;
  });
}

/** Returns the error for a topic that could not be created. */
async function unmadeTopic(setting: Setting, topic: string): Promise<AortaError> {
  const { adapter } = configuredStreams(setting);
  const { unmade } = await adapter.load();
  return unmade?.(topic) ?? new AortaError('AORTA-BUG', { place: 'apply', problem: `no error for topic ${topic}` });
}

/**
 * Creates missing topics, and returns the remaining differences from the declared topics. A local log creates its streams
 * when it opens.
 */
async function applyTopics(setting: Setting, grow: boolean): Promise<AppliedTopics> {
  const { adapter, at } = configuredStreams(setting);
  if (!adapter.isPlanned) return nothing;
  return (await (await adapter.load()).apply?.(at, { grow })) ?? nothing;
}

const choicesOf = ({ configuration: { privacy, preferences } }: Setting): TableChoices => ({ privacy, preferences });

async function planOf(setting: Setting): Promise<readonly AnyDifference[]> {
  const { adapter: streamLog, at } = configuredStreams(setting);
  const topics = streamLog.isPlanned ? ((await (await streamLog.load()).plan?.(at)) ?? []) : [];
  const { adapter, settings } = configuredWarehouse(setting);
  if (!adapter.isPlanned) return topics;
  const warehouse = await adapter.load();
  return [...topics, ...((await warehouse.plan?.(settings, choicesOf(setting))) ?? [])];
}

const noDifferences: AppliedDifferences = { done: [], left: [] };

/**
 * Creates or changes the tables, and returns the changes made and the differences that remain. DuckDB warehouses create and
 * change their tables when they are opened.
 */
async function applyTables(setting: Setting, { terminal }: Surroundings): Promise<AppliedDifferences> {
  const { adapter, settings } = configuredWarehouse(setting);
  const warehouse = adapter.isPlanned && (await adapter.load());
  if (!warehouse || warehouse.apply === undefined) return noDifferences;
  using progress = progressOn(terminal.err, { label: 'Applying', unit: 'records', lineEvery: LINE_EVERY_MS });
  let last: ApplyProgress | undefined;
  try {
    return await warehouse.apply(settings, choicesOf(setting), (state) => {
      last = state;
      const { done, total, next } = state;
      progress.advance({ done, total, note: next === undefined ? undefined : `${next.of} ${next.name}` });
    });
  } catch (error) {
    progress.end();
    if (last !== undefined) await terminal.err.write(`Stopped after ${last.done} of ${counted(last.total, 'change')}.\n`);
    throw error;
  }
}

/** Rejects if a table or view is still missing. */
async function throwUnmade(setting: Setting, left: readonly WarehouseDifference[]): Promise<void> {
  const names = left.filter(({ isMissing, kind }) => isMissing || kind === 'create').map(({ name }) => name);
  if (names.length === 0) return;
  const { adapter, settings } = configuredWarehouse(setting);
  const error = (await adapter.load()).unmade?.(settings, names);
  if (error !== undefined) throw error;
}

async function tellPlan(surroundings: Surroundings, flags: ApplyFlags, setting: Setting): Promise<void> {
  await tell(surroundings, flags, await planOf(setting));
  const { adapter } = configuredWarehouse(setting);
  if (adapter.isPlanned || flags.json || flags.sql) return;
  await surroundings.terminal.out.write(
    withCommandLines(
      `The tables of ${adapter.product} are not compared: a run upgrades them when it opens them. \`aorta doctor\` lists the differences.\n`,
      setting.call,
    ),
  );
}

async function tell({ terminal }: Surroundings, flags: ApplyFlags, differences: readonly AnyDifference[]): Promise<void> {
  if (flags.sql && !flags.json) {
    const statements = differences.flatMap((one) => ('of' in one && one.sql !== undefined ? [`${one.sql};\n\n`] : []));
    await terminal.out.write(statements.join(''));
    return;
  }
  const lines = differences.map((difference) => `${sentence(difference)}\n`).join('');
  const text = differences.length === 0 ? 'Nothing differs from the configuration.\n' : lines;
  await terminal.out.write(flags.json ? `${JSON.stringify(differences, undefined, 2)}\n` : text);
}

function sentence(difference: AnyDifference): string {
  if ('of' in difference) {
    const { of, name, what, kind, why, sql } = difference;
    const said = visible(`${of[0]!.toUpperCase()}${of.slice(1)} ${name}: ${what}.`);
    if (kind !== 'refused') return said;
    const could = sql === undefined ? '' : ` To change it yourself, run:\n    ${sql.replaceAll('\n', '\n    ')}`;
    return `${said} Not changed: ${visible(String(why))}.${could}`;
  }
  const topic = visible(difference.topic);
  if (difference.kind === 'missing') return `${topic} is missing.`;
  if (difference.kind === 'partitions')
    return `${topic} has ${counted(difference.found, 'partition')}; the configuration has ${difference.declared}.`;
  return visible(
    `${topic} has ${difference.setting}=${difference.found ?? '(unknown)'}; the configuration has ${difference.declared}.`,
  );
}
