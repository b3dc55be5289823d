import { pullStates } from '@aorta/schemas';
import { AortaError, pause } from '@aorta/telemetry';
import type { QueryResult } from '@aorta/warehouse';
import type { Command } from 'commander';
import { readSetting, type Setting } from '../configuration/configuration.ts';
import { exit } from '../exit.ts';
import { count } from '../printing/quantity.ts';
import { table } from '../printing/table.ts';
import { type Output, styled } from '../printing/terminal.ts';
import { isUnpublished, openReader, staleness } from '../reading.ts';
import { stoppedBy } from '../stop-request.ts';
import type { Surroundings } from '../surroundings.ts';
import { action, type PlaceFlags, verb, withPlace } from './verb.ts';

interface PullsFlags extends PlaceFlags {
  readonly user?: string;
  readonly provider?: string;
  readonly state?: string;
  readonly json?: true;
  readonly watch?: true;
}

/** How histories stand on the board, what needs somebody first. */
const standings = [
  'failed',
  'stalled',
  'retrying',
  'unknown',
  'in_motion',
  'announced',
  'not_pulled',
  'not_reported',
  'gone',
  'complete',
] as const;

/** Rows that people are shown at most; `--json` has all. */
const MOST_ROWS = 500;
const WATCH_MS = 2_000;

const columns = [
  'user_id',
  'provider',
  'resource',
  'standing',
  'since',
  'reason',
  'what_to_do',
  'state',
  'status',
  'error_details',
  'scheduled_at',
  'range_start',
  'range_end',
  'days_with_data',
  'provisional',
  'as_of',
  'stale',
] as const;
type Row = Readonly<Record<(typeof columns)[number], unknown>>;

export function pullsCommand(surroundings: Surroundings): Command {
  const command = verb(
    'pulls',
    'how the historical pulls stand',
    'The board of historical pulls: for each user, provider and resource whether the history is complete, in motion, retrying (since when and for what), stalled or failed, the reason, and what to do. It is the view historical_pull_board; the changes are in historical_pull_changes, what they follow from in historical_pull_evidence. `aorta run` follows pulls where `historical_pulls` is configured.',
    ['aorta pulls', 'aorta pulls --state retrying', 'aorta pulls --user u-1 --json', 'aorta pulls --watch'],
  )
    .option('--user <id>', 'of this user only')
    .option('--provider <slug>', 'of this provider only')
    .option('--state <name>', `standing so, or in this state: ${[...new Set([...standings, ...pullStates])].join(', ')}`)
    .option('--json', 'a JSON array, one object per pull')
    .option('--watch', 'again and again, until stopped');
  return action(withPlace(command), async (flags: PullsFlags) => {
    checkState(flags.state);
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
    if (!flags.watch) {
      await show(surroundings, setting, flags);
      return exit.done;
    }
    const stop = surroundings.stopRequest();
    try {
      await watch(surroundings, setting, flags, stop.signal);
      return stop.cause === 'SIGTERM' ? exit.done : stoppedBy('SIGINT');
    } finally {
      stop.release();
    }
  });
}

async function watch(surroundings: Surroundings, setting: Setting, flags: PullsFlags, signal: AbortSignal): Promise<void> {
  const { out, err } = surroundings.terminal;
  let waits = false;
  let between = out.isTerminal ? '\u001b[2J\u001b[H' : '';
  while (!signal.aborted) {
    try {
      await show(surroundings, setting, flags, flags.json ? '' : between);
      if (!out.isTerminal) between = '\n';
    } catch (error) {
      // A first run makes the tables in a moment.
      if (!isUnpublished(error)) throw error;
      if (!waits) await err.write(`${styled(err, 'dim', 'There are no tables yet: waiting for them.')}\n`);
      waits = true;
    }
    await pause(WATCH_MS, signal);
  }
}

function checkState(state: string | undefined): void {
  if (state === undefined || [...standings, ...pullStates].includes(state as never)) return;
  throw new AortaError('AORTA-USAGE', {
    problem: 'there is no such state',
    hint: `Standings are ${standings.join(', ')}; states are ${pullStates.join(', ')}.`,
  });
}

async function show({ terminal }: Surroundings, setting: Setting, flags: PullsFlags, before = ''): Promise<void> {
  const reader = await openReader(setting);
  try {
    const stale = await staleness(setting, reader);
    if (stale !== undefined && !flags.json) await terminal.err.write(`${styled(terminal.err, 'dim', stale)}\n`);
    const rows = await rowsOf(await reader.query(statement(flags)));
    await terminal.out.write(before);
    if (flags.json) await terminal.out.write(`${JSON.stringify(rows)}\n`);
    else await terminal.out.write(text(rows, flags, terminal.out));
  } finally {
    await reader.close();
  }
}

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

function statement({ user, provider, state }: PullsFlags): string {
  const conditions = [
    ...(user === undefined ? [] : [`user_id = ${literal(user)}`]),
    ...(provider === undefined ? [] : [`provider = ${literal(provider)}`]),
    ...(state === undefined ? [] : [`(standing = ${literal(state)} or state = ${literal(state)})`]),
  ];
  const order = standings.map((standing, index) => `when ${literal(standing)} then ${index}`).join(' ');
  return `select ${columns.join(', ')} from historical_pull_board
${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}\n`}order by case standing ${order} end, since desc, user_id, provider, resource`;
}

/** Days are few enough for a number. */
const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

async function rowsOf(result: QueryResult): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const chunk of result.rows)
    for (const row of chunk) rows.push(Object.fromEntries(columns.map((name, index) => [name, plain(row[index])])) as Row);
  return rows;
}

function text(rows: readonly Row[], flags: PullsFlags, out: Output): string {
  if (rows.length === 0)
    return flags.user === undefined && flags.provider === undefined && flags.state === undefined
      ? 'Nothing was heard of historical pulls yet, or nobody follows them: configure historical_pulls for aorta run.\n'
      : 'No such pulls.\n';
  const found = new Map<string, number>();
  for (const { standing } of rows) found.set(String(standing), (found.get(String(standing)) ?? 0) + 1);
  const counts = standings.filter((one) => found.has(one)).map((one) => `${count(found.get(one)!)} ${one}`);
  const answers = rows.map((row) => row.as_of).filter((asOf) => asOf !== null);
  const oldest = answers.map(String).sort()[0];
  const stale = new Set(rows.filter((row) => row.stale === true).map((row) => row.user_id)).size;
  const asOf =
    oldest === undefined
      ? 'The service was not asked: this follows from events alone.'
      : `As of ${oldest}, the oldest answer of the service${stale === 0 ? '' : `; stale for ${count(stale)} of the users`}.`;
  const shown = rows.slice(0, MOST_ROWS);
  return [
    table(
      [
        { name: 'user' },
        { name: 'provider' },
        { name: 'resource' },
        { name: 'standing' },
        { name: 'since' },
        { name: 'reason' },
        { name: 'what to do' },
      ],
      shown.map((row) => [
        String(row.user_id),
        String(row.provider),
        String(row.resource),
        `${row.standing}${row.stale === true && row.as_of !== null ? ' (stale)' : ''}`,
        String(row.since),
        String(row.reason),
        row.what_to_do === null ? '' : String(row.what_to_do),
      ]),
      out.columns,
    ),
    ...(rows.length > shown.length ? [`… and ${count(rows.length - shown.length)} more: --json has them all.\n`] : []),
    `${counts.join(', ')}.\n`,
    `${styled(out, 'dim', asOf)}\n`,
  ].join('');
}
