import { visible } from '@aorta/runtime';
import { bytes, count, counted, instant } from '@aorta/runtime/quantity';
import { shellWord } from '@aorta/runtime/shell-word';
import { type DeadLetter, type Refusal, refusals } from '@aorta/schemas';
import { Command } from 'commander';
import { readSetting } from '../../config/configuration.ts';
import { nearestName } from '../../config/nearest-name.ts';
import { ProgramError } from '../../errors.ts';
import { parsePosition } from '../../report/delivery-position.ts';
import {
  type DeadLetterFacts,
  deadLetterFacts,
  deadLetterRecords,
  deadLetters,
  type ReadableStreams,
} from '../../report/records.ts';
import { withRecords } from '../../report/stored-data.ts';
import { exit } from '../exit.ts';
import { type Call, commandLine } from '../printing/command-lines.ts';
import { type TableColumn, table } from '../printing/table.ts';
import { type Output, styled } from '../printing/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { type PlaceFlags, withPlace } from './setting.ts';
import { action, verb, wholeNumber } from './verb.ts';

/** Reason of a dead letter that a bug in Aorta caused. */
const bug = 'AORTA-BUG';

const tombstone: Refusal = 'tombstone';

export function deadLettersCommand(surroundings: Surroundings): Command {
  return new Command('dlq')
    .summary('list and show dead letters')
    .description(
      'Dead letters are deliveries that Aorta could not read, with their original bytes. Refused parts of kept deliveries are dead letters, too.',
    )
    .addCommand(listCommand(surroundings))
    .addCommand(showCommand(surroundings));
}

interface ListFlags extends PlaceFlags {
  readonly json?: true;
  readonly reason?: string;
  readonly limit: number;
}

function listCommand(surroundings: Surroundings): Command {
  const command = verb(
    'list',
    'list the dead letters, newest last',
    'Counts the dead letters by reason. Then prints one dead letter per line: its position, reason, stage, event type, size, refused parts, file and line. If Aorta read a delivery several times, the list shows the dead letter once.',
    ['aorta dlq list', 'aorta dlq list --reason not_json --limit 100', 'aorta dlq list --json'],
  )
    .option('--reason <code>', 'list only dead letters with this reason')
    .option('--limit <n>', 'list only the newest dead letters, at most this many', wholeNumber('--limit', 1), 20)
    .option('--json', 'print a JSON array with one object per dead letter');
  return action(withPlace(command), async (flags: ListFlags) => {
    checkReason(flags.reason);
    const { out } = surroundings.terminal;
    const setting = readSetting(flags, surroundings.environment, surroundings.folder, { needs: ['streams'] });
    const all = [...(await withRecords(setting, ['dead_letters'], deadLetters)).values()];
    const chosen = all.filter((letter) => flags.reason === undefined || letter.reason === flags.reason);
    const shown = chosen.slice(-flags.limit);
    if (flags.json) await out.write(`${JSON.stringify(shown.map(jsonOfFacts), undefined, 2)}\n`);
    else await out.write(listing(chosen, shown, setting.call, out));
    return exit.done;
  });
}

function meaningOf(reason: string): string {
  if (reason === bug) return 'A bug in Aorta; please report it.';
  return refusals[reason as keyof typeof refusals] ?? '';
}

function checkReason(reason: string | undefined): void {
  const names = [...Object.keys(refusals), bug];
  if (reason === undefined || names.includes(reason)) return;
  const meant = nearestName(reason, names);
  throw new ProgramError('AORTA-USAGE', {
    problem: `there is no dead-letter reason ${reason}`,
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}The reasons are ${names.join(', ')}.`,
  });
}

function jsonOfFacts(facts: DeadLetterFacts): Record<string, unknown> {
  const { position, reason, stage, scope, event_type, received_at, bytes: size, places, file, line } = facts;
  const read = { received_at: instant(received_at), bytes: size, places, file, line };
  return { position, reason, stage, scope, event_type, ...read };
}

function listing(chosen: readonly DeadLetterFacts[], shown: readonly DeadLetterFacts[], call: Call, out: Output): string {
  if (chosen.length === 0) return 'No dead letters.\n';
  const byReason = Map.groupBy(chosen, ({ reason }) => reason);
  const summary = [...byReason]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, letters]) => [reason, count(letters.length), meaningOf(reason)]);
  const lines = shown.map((letter) => [
    letter.position,
    letter.scope === 'part' ? `${letter.reason} (part)` : letter.reason,
    letter.stage,
    letter.event_type ?? '–',
    bytes(letter.bytes),
    placesText(letter.places),
    fileText(letter) ?? '',
  ]);
  const columns: TableColumn[] = [
    // The user copies the position.
    { name: 'position', whole: true },
    { name: 'reason' },
    { name: 'stage' },
    { name: 'event type' },
    { name: 'bytes', align: 'right' },
    { name: 'places' },
    // Deliveries from a broker have no file.
    ...(shown.some(({ file }) => file !== null) ? [{ name: 'file' }] : []),
  ];
  const head = table(
    [{ name: 'reason' }, { name: 'dead letters', align: 'right' }, { name: 'what it means' }],
    summary,
    out.columns,
  );
  const rest =
    chosen.length > shown.length
      ? `The newest ${shown.length} of ${counted(chosen.length, 'dead letter')}; --limit shows more.\n`
      : '';
  const next = styled(
    out,
    'dim',
    `To see one of them: ${commandLine(`aorta dlq show ${shellWord(shown.at(-1)!.position)}`, call)}`,
  );
  return `${head}\n${table(columns, lines, out.columns)}\n${rest}${next}\n`;
}

/** Formats a file and line as `FILE:LINE`, as editors and compilers do. */
function fileText({ file, line }: DeadLetterFacts): string | undefined {
  return file === null ? undefined : `${file}:${line}`;
}

function placesText(places: readonly string[]): string {
  return places.length <= 2 ? places.join(', ') : `${places.slice(0, 2).join(', ')} and ${places.length - 2} more`;
}

interface ShowFlags extends PlaceFlags {
  readonly json?: true;
  readonly body?: true;
}

function showCommand(surroundings: Surroundings): Command {
  const command = verb(
    'show <position>',
    'show one dead letter',
    'Shows the dead letter with the position SOURCE/PARTITION/OFFSET: its reason, and the names of its headers. It shows no values of health data. With --body, it writes the original bytes, which may contain health data.',
    ['aorta dlq show people/0/12', 'aorta dlq show azure/health-events/3/41 --body > body.json'],
  )
    .option('--body', 'write only the original bytes')
    .option('--json', 'print one JSON object');
  return action(withPlace(command), async (flags: ShowFlags, position: string) => {
    const { out } = surroundings.terminal;
    const setting = readSetting(flags, surroundings.environment, surroundings.folder, { needs: ['streams'] });
    const letter = await withRecords(setting, ['dead_letters'], (streams) => find(streams, position));
    if (flags.body) await out.write(letter.body);
    else
      await out.write(
        flags.json
          ? `${JSON.stringify({ ...jsonOfFacts(deadLetterFacts(letter)), ...rest(letter) }, undefined, 2)}\n`
          : sentences(letter, out),
      );
    return exit.done;
  });
}

async function find(streams: ReadableStreams, text: string): Promise<DeadLetter> {
  const sought = parsePosition(text);
  if (sought === undefined)
    throw new ProgramError('AORTA-USAGE', {
      problem: `${text} is not a position`,
      hint: 'Write SOURCE/PARTITION/OFFSET as `aorta dlq list` prints it, such as azure/health-events/3/41. A percent sign in a name is %25.',
    });
  let found: DeadLetter | undefined;
  for await (const record of deadLetterRecords(streams)) {
    const { source, partition, offset } = record.receipt;
    // A dead letter for the whole delivery takes precedence over one for a part. Otherwise the last one read is used.
    if (
      source === sought.source &&
      partition === sought.partition &&
      offset === sought.offset &&
      !(found?.scope === 'whole' && record.scope === 'part')
    )
      found = record;
  }
  if (found !== undefined) return found;
  const meant = nearestPosition(text, [...(await deadLetters(streams)).values()]);
  throw new ProgramError('AORTA-USAGE', {
    problem: `there is no dead letter ${text}`,
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}\`aorta dlq list\` prints the existing positions.`,
  });
}

/** Returns the position that the user probably meant. The names may contain slashes that the user did not escape. */
function nearestPosition(text: string, letters: readonly DeadLetterFacts[]): string | undefined {
  const positions = letters.map(({ position }) => position);
  return positions.find((position) => decodeURIComponent(position) === text) ?? nearestName(text, positions);
}

function rest(letter: DeadLetter): Record<string, unknown> {
  const { reason, headers, error_headers } = letter;
  return { meaning: meaningOf(reason), header_names: Object.keys(headers).toSorted(), error_headers };
}

function sentences(letter: DeadLetter, out: Output): string {
  const facts = deadLetterFacts(letter);
  const names = Object.keys(letter.headers).toSorted();
  const lines: [string, string][] = [
    ['position', facts.position],
    ['reason', `${facts.reason}: ${meaningOf(facts.reason)}`],
    ['stage', facts.stage],
    [
      'scope',
      facts.scope === 'part'
        ? 'part (the delivery was kept without the places below)'
        : 'whole (no part of the delivery was kept)',
    ],
    ['event type', facts.event_type ?? '–'],
    ...(facts.file === null ? [] : [['file', fileText(facts)!] as [string, string]]),
    ['received', instant(facts.received_at)],
    ['body', facts.reason === tombstone ? 'none' : `${bytes(facts.bytes)} as received`],
    ['headers', names.length === 0 ? 'none' : `${names.join(', ')} (names only)`],
    ...facts.places.map((place, index): [string, string] => [index === 0 ? 'places' : '', place]),
    ...Object.entries(letter.error_headers).map(([name, value]): [string, string] => ['error header', `${name}: ${value}`]),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return `${lines.map(([name, value]) => `${styled(out, 'bold', name.padEnd(width))}  ${visible(value)}`).join('\n')}\n`;
}
