import { visible } from '@aorta/runtime';
import { type Command, Option } from 'commander';
import { exit } from '../../exit.ts';
import { callOf, withCommandLines } from '../../printing/command-lines.ts';
import { table } from '../../printing/table.ts';
import type { Output } from '../../printing/terminal.ts';
import type { Surroundings } from '../../surroundings.ts';
import { action, pathOf } from '../verb.ts';
import { type ControlPort, controlAddress, controlPort, DEFAULT_CONTROL_PORT, VARIABLE } from './control-port.ts';

interface ControlFlags {
  readonly controlUrl?: string;
  readonly json?: true;
}

interface Parts<Flags, Values extends readonly unknown[], Answer> {
  /** Sends the requests. The result is what `--json` prints. */
  readonly ask: (port: ControlPort, flags: Flags, ...values: Values) => Promise<Answer>;
  /** Formats the answer for people, with a final line break. */
  readonly say: (answer: Answer, out: Output) => string;
}

/** Adds `--control-url` and `--json` to a command, and sets what it does with the control port. */
export function controlVerb<Flags, Values extends readonly unknown[], Answer>(
  { terminal, environment }: Surroundings,
  command: Command,
  { ask, say }: Parts<Flags, Values, Answer>,
): Command {
  const standard = `${VARIABLE}, or http://127.0.0.1:${DEFAULT_CONTROL_PORT}`;
  command
    .addOption(new Option('--control-url <url>', `address of the service's control port (default: ${standard})`))
    .option('--json', 'print the answer as one JSON object');
  return action(command, async (flags: ControlFlags & Flags, ...values: Values) => {
    const port = controlPort(controlAddress(flags.controlUrl, environment[VARIABLE]), pathOf(command));
    const answer = await ask(port, flags, ...values);
    await terminal.out.write(
      flags.json
        ? `${JSON.stringify(answer, undefined, 2)}\n`
        : withCommandLines(say(answer, terminal.out), callOf(flags, environment)),
    );
    return exit.done;
  });
}

/** A value of a cell. Null and undefined are shown as a dash. */
type Cell = string | number | boolean | null | undefined;

/** Formats rows as a table. Without rows, returns `none`. Numbers are aligned to the right. */
export function listing(out: Output, names: readonly string[], rows: readonly (readonly Cell[])[], none: string): string {
  if (rows.length === 0) return `${none}\n`;
  const columns = names.map((name, index) => ({
    name,
    align: rows.every((row) => typeof row[index] === 'number') ? ('right' as const) : ('left' as const),
  }));
  return table(
    columns,
    rows.map((row) => row.map(cellText)),
    out.columns,
  );
}

/** Formats members as lines with the names on the left. */
export function facts(members: readonly (readonly [name: string, value: Cell])[]): string {
  const width = Math.max(...members.map(([name]) => name.length));
  return members.map(([name, value]) => `${visible(`${name.padEnd(width)}  ${cellText(value)}`)}\n`).join('');
}

function cellText(value: Cell): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

/** Adds a value to those of an option that may be repeated. */
export function repeated(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Returns the members that are not undefined. */
export function given(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Returns a segment of a path. */
export const segment = (id: string): string => encodeURIComponent(id);
