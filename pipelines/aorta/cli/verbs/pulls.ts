import { randomUUID } from 'node:crypto';
import { jsonOf, type WarehouseReader } from '@aorta/connectors';
import { postNotice } from '@aorta/enrichment';
import { visible } from '@aorta/runtime';
import { shellWord } from '@aorta/runtime/shell-word';
import { type Command, Option } from 'commander';
import { readSetting, type Setting } from '../../config/configuration.ts';
import { ProgramError } from '../../errors.ts';
import {
  countBoard,
  cursorAfter,
  needingAttention,
  parseCursor,
  type Row,
  readChanges,
  readPage,
  type Selection,
  selectable,
} from '../../report/pulls/board.ts';
import { countsText, pageText, printBoard, readWhole, totalsText, triggerText } from '../../report/pulls/board-output.ts';
import { watchBoard } from '../../report/pulls/watch.ts';
import { openReader, staleness } from '../../report/stored-data.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type Call, commandLine, withCommandLines } from '../printing/command-lines.ts';
import { printJson, printTable } from '../printing/query-result.ts';
import { type Output, styled, type Terminal } from '../printing/terminal.ts';
import { type Surroundings, stoppedBy } from '../surroundings.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb, wholeNumber } from './verb.ts';

/** Number of pulls per page. `--json` without a limit prints all pulls. */
const PAGE = 100;

/** Memory limit for DuckDB, enough to read one page or all pages of a board with millions of pulls. */
const MEMORY = '96MB';

/** Posts a test notice in the same way as `aorta run` posts notices, and prints the result. */
async function testNotice({ configuration }: Setting<'historical_pulls'>, out: Output): Promise<ExitCode> {
  const notices = configuration.historical_pulls?.notices;
  if (notices === undefined)
    throw new ProgramError('AORTA-USAGE', {
      problem: 'no notices are configured',
      hint: 'Set historical_pulls.notices.webhook in aorta.yaml.',
    });
  const { host } = new URL(notices.webhook);
  const notice = { event: 'historical_pull.test', sent_at: new Date().toISOString() };
  const posted = await postNotice(notices, randomUUID(), notice, new AbortController().signal);
  if (!posted.accepted)
    throw posted.status === undefined
      ? new ProgramError('AORTA-NOTICE-UNREACHABLE', { host, reason: posted.problem })
      : new ProgramError('AORTA-NOTICE-REFUSED', { host, status: posted.status });
  const signed = notices.secret === undefined ? 'not signed (no historical_pulls.notices.secret)' : 'signed';
  const header = notices.authentication === undefined ? '' : `, with the header ${visible(notices.authentication.header)}`;
  await out.write(`The webhook at ${host} accepted the notice (status ${posted.status}). It was ${signed}${header}.\n`);
  return exit.done;
}

interface PullsFlags extends PlaceFlags, Selection {
  readonly limit?: number;
  readonly after?: string;
  readonly counts?: true;
  readonly changes?: true;
  readonly check?: true;
  readonly testNotice?: true;
  readonly json?: true;
  readonly watch?: true;
}

type PullsSetting = Setting<'warehouse'>;

export function pullsCommand(surroundings: Surroundings): Command {
  const command = verb(
    'pulls',
    'show the state of historical pulls',
    'Shows the board of historical pulls. For each user, provider and resource, the board says whether the history is complete, in motion, retrying, stalled or failed. It also says since when, why, and what to do. The board is the view historical_pull_board. The view historical_pull_changes has every change of a pull, and historical_pull_evidence has the evidence. `aorta run` tracks pulls if `historical_pulls` is configured.',
    [
      'aorta pulls',
      'aorta pulls --state failed --limit 20',
      'aorta pulls --counts',
      'aorta pulls --user u-1 --resource sleep --changes',
      'aorta pulls --json > pulls.json',
      'aorta pulls --check',
      'aorta pulls --watch',
    ],
  )
    .option('--user <id>', 'only pulls of this user')
    .option('--provider <slug>', 'only pulls of this provider')
    .option('--resource <name>', 'only pulls of this resource')
    .option('--state <name>', `only pulls whose \`standing\` or \`state\` has this value: ${selectable.join(', ')}`)
    .option('--limit <n>', `pulls per page (default: ${PAGE}; with --json all)`, wholeNumber('--limit', 1, 100_000))
    .option('--after <place>', 'continue after this place, which was printed with the previous page')
    .addOption(new Option('--counts', 'count pulls by provider and `standing`').conflicts(['changes', 'watch', 'after', 'limit']))
    .addOption(
      new Option('--changes', 'show every change of the pulls of one user (needs --user)').conflicts([
        'watch',
        'after',
        'limit',
        'state',
      ]),
    )
    .addOption(
      new Option(
        '--check',
        'exit with code 4 if a pull is failed, stalled or unknown, or if the service’s last answer about an open pull is stale',
      ).conflicts(['changes', 'watch']),
    )
    .addOption(
      new Option('--test-notice', 'send a test notice to the configured webhook and print the result').conflicts([
        'user',
        'provider',
        'resource',
        'state',
        'limit',
        'after',
        'counts',
        'changes',
        'check',
        'json',
        'watch',
      ]),
    )
    .option('--json', 'print a JSON array with one object per pull')
    .addOption(new Option('--watch', 'show the first page, then changed pulls, until stopped').conflicts('after'));
  return action(withPlace(command), async (flags: PullsFlags) => {
    checkFlags(flags);
    const { environment, folder } = surroundings;
    if (flags.testNotice)
      return testNotice(readSetting(flags, environment, folder, { needs: ['historical_pulls'] }), surroundings.terminal.out);
    const setting = readSetting(flags, environment, folder, { needs: ['warehouse', 'streams.folder'] });
    if (flags.watch) return watch(surroundings, setting, flags);
    await using reader = await openReader(setting, { memory: MEMORY });
    const stale = await staleness(setting, reader);
    if (stale !== undefined && !flags.json)
      await surroundings.terminal.err.write(`${styled(surroundings.terminal.err, 'dim', stale)}\n`);
    return await show(surroundings, setting, reader, flags);
  });
}

function checkFlags({ state, changes, user }: PullsFlags): void {
  if (state !== undefined && !selectable.includes(state))
    throw new ProgramError('AORTA-USAGE', {
      problem: '--state needs a known standing or state',
      hint: `Give one of ${selectable.join(', ')}.`,
    });
  if (changes && user === undefined)
    throw new ProgramError('AORTA-USAGE', {
      problem: '--changes needs --user',
      hint: 'Add --user, and --provider and --resource to select one pull. The view historical_pull_changes has the changes of all users.',
    });
}

async function show(
  surroundings: Surroundings,
  setting: PullsSetting,
  reader: WarehouseReader,
  flags: PullsFlags,
): Promise<ExitCode> {
  const { out } = surroundings.terminal;
  if (flags.changes) {
    const result = await readChanges(reader, flags);
    await (flags.json ? printJson(out, result) : printTable(out, result));
    return exit.done;
  }
  const whole = flags.json && flags.limit === undefined;
  // Counting reads the whole board, so only the first page has counts.
  const counts =
    flags.check || flags.counts || whole || (!flags.json && flags.after === undefined)
      ? await countBoard(reader, flags)
      : undefined;
  if (flags.counts)
    await out.write(
      flags.json
        ? `${jsonOf(counts!.map(({ oldestAnswer: oldest_answer, ...one }) => ({ ...one, oldest_answer })))}\n`
        : countsText(counts!, out),
    );
  else if (whole) await printBoard(out, readWhole(reader, wantedOf(flags), counts!));
  else await showPage(surroundings.terminal, reader, flags, { setting, counts });
  return flags.check && needingAttention(counts!) > 0 ? exit.attention : exit.done;
}

const wantedOf = (flags: PullsFlags) => ({
  selection: flags,
  after: flags.after === undefined ? undefined : parseCursor(flags.after),
});

interface PageFacts {
  readonly setting: PullsSetting;
  /** Number of pulls by standing; undefined if it is not printed. */
  readonly counts: Awaited<ReturnType<typeof countBoard>> | undefined;
}

/** Prints one page of the board, and the command that prints the next page. */
async function showPage(
  { out, err }: Terminal,
  reader: WarehouseReader,
  flags: PullsFlags,
  { setting, counts }: PageFacts,
): Promise<readonly Row[]> {
  const limit = flags.limit ?? PAGE;
  // One extra row is read to find out whether there is a next page.
  const pages = readPage(reader, { ...wantedOf(flags), limit: limit + 1 }, counts);
  if (flags.json) {
    const { last, more } = await printBoard(out, pages, limit);
    if (more) await err.write(`Next page: ${nextPage(flags, last!, setting.call)}\n`);
    return [];
  }
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page);
  const shown = rows.slice(0, limit);
  if (shown.length === 0) await out.write(withCommandLines(nothingText(flags), setting.call));
  else {
    await out.write(pageText(shown, out));
    if (rows.length > limit) await out.write(`Next page: ${nextPage(flags, shown.at(-1)!, setting.call)}\n`);
    if (counts !== undefined) await out.write(totalsText(counts, out));
    await out.write(triggerText(shown, setting));
  }
  return shown;
}

function nothingText({ user, provider, resource, state, after }: PullsFlags): string {
  if (after !== undefined) return 'No more pulls.\n';
  return [user, provider, resource, state].every((one) => one === undefined)
    ? 'There are no historical pulls yet. To follow pulls, configure historical_pulls and start `aorta run`.\n'
    : 'No pulls match.\n';
}

/** Returns the command that prints the next page: the same options, and `--after` with the position of the last pull. */
function nextPage(flags: PullsFlags, last: Row, call: Call): string {
  const { user, provider, resource, state, limit } = flags;
  const chosen = Object.entries({ user, provider, resource, state, limit: limit?.toString() });
  const words = chosen.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${shellWord(value)}`]));
  const all = ['aorta pulls', ...words, ...(flags.json ? ['--json'] : []), `--after ${shellWord(cursorAfter(last))}`];
  return commandLine(all.join(' '), call);
}

async function watch(surroundings: Surroundings, setting: PullsSetting, flags: PullsFlags): Promise<ExitCode> {
  const { out, err } = surroundings.terminal;
  const limit = flags.limit ?? PAGE;
  using stop = surroundings.stopRequest();
  await watchBoard(
    {
      setting,
      selection: flags,
      limit,
      open: () => openReader(setting, { memory: MEMORY }),
      begin: async (reader) => {
        if (!flags.json)
          return showPage(surroundings.terminal, reader, flags, { setting, counts: await countBoard(reader, flags) });
        const rows: Row[] = [];
        for await (const page of readPage(reader, { selection: flags, limit })) rows.push(...page);
        await out.write(`${jsonOf(rows)}\n`);
        return rows;
      },
      changed: async (rows, more) => {
        await out.write(flags.json ? `${jsonOf(rows)}\n` : `\n${pageText(rows, out)}`);
        if (more) await err.write(`More than ${limit} pulls have changed; --limit shows more.\n`);
      },
      waits: () => err.write(`${styled(err, 'dim', 'There are no tables yet; waiting for the first ones.')}\n`),
    },
    stop.signal,
  );
  return stop.cause === 'SIGTERM' ? exit.done : stoppedBy('SIGINT');
}
