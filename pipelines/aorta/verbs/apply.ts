import { applyTopics, planTopics, type TopicDifference } from '@aorta/streams';
import { AortaError } from '@aorta/telemetry';
import type { ApplyProgress, Difference } from '@aorta/warehouse/bigquery';
import type { Command } from 'commander';
import { readSetting, type Setting } from '../configuration/configuration.ts';
import { exit } from '../exit.ts';
import { progressOn } from '../printing/progress.ts';
import { counted } from '../printing/quantity.ts';
import type { Surroundings } from '../surroundings.ts';
import { askTopics } from '../topics.ts';
import { action, type PlaceFlags, verb, withPlace } from './verb.ts';

interface ApplyFlags extends PlaceFlags {
  readonly json?: true;
  readonly grow?: true;
  readonly dryRun?: true;
  readonly sql?: true;
}

type AnyDifference = TopicDifference | Difference;

export function planCommand(surroundings: Surroundings): Command {
  const command = verb(
    'plan',
    'what `apply` would change',
    'Compares the topics of the streams with the configuration (which are missing, which have another number of partitions or other settings), and the dataset of BigQuery with the declarations: tables, columns, views. Changes nothing. Local streams and DuckDB need nothing made.',
    ['aorta plan', 'aorta plan --sql', 'aorta plan --json'],
  )
    .option('--sql', 'the statements of BigQuery that `apply` stands for')
    .option('--json', 'a JSON array, one object per difference');
  return action(withPlace(command), async (flags: ApplyFlags) => {
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
    await tell(surroundings, flags, await planOf(setting));
    return exit.done;
  });
}

export function applyCommand(surroundings: Surroundings): Command {
  const command = verb(
    'apply',
    'make the topics, tables and views that are missing',
    'Makes the topics of the streams that are missing. Those that are there stay as they are, and what differs in them is said: nothing is taken away, and no setting is changed. In BigQuery it makes dataset, tables and views, adds columns, and widens types; what would lose something is left to a person, with the statement to run.',
    ['aorta apply', 'aorta apply --dry-run', 'aorta apply --grow'],
  )
    .option('--grow', 'add partitions where there are fewer than configured: most users’ records go to another one from then on')
    .option('--dry-run', 'as `aorta plan`')
    .option('--json', 'a JSON array, one object per difference that is left');
  return action(withPlace(command), async (flags: ApplyFlags) => {
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
    const { streams } = setting.configuration;
    if (flags.dryRun) {
      await tell(surroundings, flags, await planOf(setting));
      return exit.done;
    }
    const { made, grown, left } =
      streams.type === 'local'
        ? nothing
        : await askTopics(streams, (admin) => applyTopics(admin, streams, { grow: flags.grow === true }));
    const tables = await applyTables(setting, surroundings);
    if (!flags.json) {
      const { out } = surroundings.terminal;
      if (made.length > 0) await out.write(`Made ${counted(made.length, 'topic')}.\n`);
      if (grown.length > 0) await out.write(`Added partitions to ${counted(grown.length, 'topic')}.\n`);
      for (const what of ['dataset', 'table', 'view'] as const) {
        const named = (kind: Difference['kind']) =>
          new Set(tables.done.filter((one) => one.of === what && one.kind === kind).map(({ name }) => name)).size;
        if (named('create') > 0) await out.write(`Made ${counted(named('create'), what)}.\n`);
        if (named('change') > 0) await out.write(`Changed ${counted(named('change'), what)}.\n`);
      }
    }
    await tell(surroundings, flags, [...left, ...tables.left]);
    const missing = left.find(({ kind }) => kind === 'missing');
    if (missing !== undefined) throw new AortaError('AORTA-STREAM-TOPIC-MISSING', { topic: missing.topic });
    throwUnmade(setting, tables.left);
    return exit.done;
  });
}

const nothing = { made: [], grown: [], left: [] } as const;

async function planOf(setting: Setting): Promise<readonly AnyDifference[]> {
  const { streams, warehouse, privacy } = setting.configuration;
  const topics = streams.type === 'local' ? [] : await askTopics(streams, (admin) => planTopics(admin, streams));
  if (warehouse.type !== 'bigquery') return topics;
  const { planBigQuery } = await import('@aorta/warehouse/bigquery');
  return [...topics, ...(await planBigQuery({ ...warehouse, privacy }))];
}

/** Milliseconds between lines of progress where there is no terminal. */
const LINE_EVERY_MS = 10_000;

/** What was done to the dataset of BigQuery, and what differs still. Tables of DuckDB are made when it is opened. */
async function applyTables({ configuration: { warehouse, privacy } }: Setting, { terminal }: Surroundings) {
  if (warehouse.type !== 'bigquery') return { done: [], left: [] };
  const { applyBigQuery } = await import('@aorta/warehouse/bigquery');
  const progress = progressOn(terminal.err, { label: 'Applying', unit: 'records', lineEvery: LINE_EVERY_MS });
  let last: ApplyProgress | undefined;
  try {
    return await applyBigQuery({ ...warehouse, privacy }, (state) => {
      last = state;
      const { done, total, next } = state;
      progress.advance({ done, total, ...(next === undefined ? {} : { note: `${next.of} ${next.name}` }) });
    });
  } catch (error) {
    progress.end();
    // Whoever reads the error wants to know how far it came.
    if (last !== undefined) await terminal.err.write(`Stopped after ${last.done} of ${counted(last.total, 'change')}.\n`);
    throw error;
  } finally {
    progress.end();
  }
}

/** Names that an error has. */
const SHOWN_NAMES = 5;

/** Rejects if something is not there in the end. */
function throwUnmade({ configuration: { warehouse } }: Setting, left: readonly Difference[]): void {
  const names = left.filter(({ isMissing, kind }) => isMissing || kind === 'create').map(({ name }) => name);
  if (names.length === 0 || warehouse.type !== 'bigquery') return;
  const more = names.length > SHOWN_NAMES ? [`${names.length - SHOWN_NAMES} more`] : [];
  throw new AortaError('AORTA-BIGQUERY-UNMADE', {
    dataset: warehouse.dataset,
    count: names.length,
    names: [...names.slice(0, SHOWN_NAMES), ...more].join(', '),
  });
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
    const said = `${of[0]!.toUpperCase()}${of.slice(1)} ${name}: ${what}.`;
    if (kind !== 'refused') return said;
    const could = sql === undefined ? '' : ` What a person could run:\n    ${sql.replaceAll('\n', '\n    ')}`;
    return `${said} It is left as it is: ${why}.${could}`;
  }
  const { topic } = difference;
  if (difference.kind === 'missing') return `${topic} is missing.`;
  if (difference.kind === 'partitions')
    return `${topic} has ${counted(difference.found, 'partition')}; configured are ${difference.declared}.`;
  return `${topic} has ${difference.setting}=${difference.found ?? '(unknown)'}; configured is ${difference.declared}.`;
}
