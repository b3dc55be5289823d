import { Readable } from 'node:stream';
import type { Argument, Command, Option } from 'commander';
import { commandTree } from '../cli/command-line.ts';
import type { Output } from '../cli/printing/terminal.ts';
import type { Surroundings } from '../cli/surroundings.ts';
import { pathOf } from '../cli/verbs/verb.ts';
import { type Section, sections } from '../config/schema.ts';
import { type NeededSections, neededSections } from './needed-sections.ts';

const nowhere: Output = { write: async () => {}, isTerminal: false, columns: undefined, colors: false };

/** An empty environment, used to build the command tree without running a command. */
const none: Surroundings = {
  terminal: { out: nowhere, err: nowhere },
  environment: {},
  folder: '.',
  input: Readable.from([]),
  stopRequest: () => ({ signal: new AbortController().signal, cause: undefined, [Symbol.dispose]: () => {} }),
};

/** Returns the tree of all commands, which cannot be run. */
export const commands = (): Promise<Command> => commandTree(none);

/** Returns the leaves of a tree: the commands without subcommands. */
export const leavesOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

/** Returns the command-line reference as a Markdown page, generated from the commands. */
export async function cliReference(): Promise<string> {
  const program = await commands();
  return [
    '# Command line',
    '',
    'Generated from the commands in `pipelines/aorta/cli/verbs/` by `npm run generate`. A test fails if this page is out of date.',
    '',
    'Data goes to standard output, everything else to standard error. No verb asks questions. `NO_COLOR` disables colors. Logs are JSON lines on standard error.',
    '',
    'Names and values from outside may contain control characters, which could change the terminal. Aorta prints them as escapes, such as `\\x1b`. JSON has them as escapes of JSON. `--csv` and `--body` write the exact bytes to a file or pipe, and escapes to a terminal.',
    '',
    '| exit code | meaning |',
    '| --- | --- |',
    '| 0 | success; for `run`, also a stop by SIGTERM |',
    '| 1 | failure |',
    '| 2 | wrong usage or configuration |',
    '| 3 | success, but with dead letters (`--strict`) |',
    '| 4 | pulls need attention (`--check`) |',
    '| 70 | crash: an uncaught exception |',
    '| 75 | transient error; try again |',
    '| 130, 143 | stopped by SIGINT or SIGTERM before the work was done; records reported as loaded are safe |',
    '',
    'npm does not pass signals on. If `npx aorta` or `npm exec aorta` started a command, it stops when npm ends, as after SIGTERM. Without npm (`aorta dev webhook &`), a command does not depend on its parent.',
    '',
    '## Which variables a command needs',
    '',
    'A command needs the environment variables in the sections of the configuration that it opens, and no others. It validates the other sections too, except for values with variables that are not set.',
    '',
    'The third column has the sections that a command can do without. If a variable is not set, the command skips the section, or only the source, that contains it. Variables that determine the folder of the streams must always be set. `--warehouse` and `--data` replace locations, so the variables of these locations are not needed.',
    '',
    '| command | opens | also reads, if its variables are set |',
    '| --- | --- | --- |',
    ...neededSections.map(neededRow),
    '',
    ...leavesOf(program).flatMap(commandSection),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function commandSection(command: Command): string[] {
  const usage = [pathOf(command), ...command.registeredArguments.map(argumentText), '[options]'].join(' ');
  const lines = [`## \`${pathOf(command)}\``, '', ...command.description().split('\n'), '', '```sh', usage, '```', ''];
  const options = command.options.filter((option) => !option.hidden);
  if (options.length > 0) lines.push('| option | meaning |', '| --- | --- |', ...options.map(optionRow), '');
  const examples = examplesOf(command);
  if (examples.length > 0) lines.push('```sh', ...examples, '```', '');
  return lines;
}

function neededRow({ command, options = [], needs, readable = [] }: NeededSections): string {
  const when = options.length === 0 ? '' : ` with ${options.map((option) => `\`${option}\``).join(' or ')}`;
  return `| \`${command}\`${when} | ${sectionsText(needs) || 'none'} | ${sectionsText(readable)} |`;
}

function sectionsText(names: readonly Section[]): string {
  if (names.length === sections.length) return 'all';
  return sections
    .filter((name) => names.includes(name))
    .map((name) => `\`${name}\``)
    .join(', ');
}

function argumentText(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

function optionRow(option: Option): string {
  const text = (value: string) => value.replaceAll('|', '\\|');
  const standard =
    option.defaultValue === undefined ? '' : ` Default: \`${option.defaultValueDescription ?? String(option.defaultValue)}\`.`;
  const choices =
    option.argChoices === undefined ? '' : ` One of ${option.argChoices.map((choice) => `\`${choice}\``).join(', ')}.`;
  return `| \`${text(option.flags)}\` | ${text(option.description)}${choices === '' && standard === '' ? '' : '.'}${choices}${standard} |`;
}

/** Returns the command lines that the command's help lists under `Examples:`. */
function examplesOf(command: Command): string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 1000, getOutHasColors: () => false });
  command.outputHelp();
  const [, after = ''] = help.split('\nExamples:\n');
  return after
    .split('\n')
    .filter((line) => line.startsWith('  $ '))
    .map((line) => line.slice(4));
}
