import { Readable } from 'node:stream';
import type { Argument, Command, Option } from 'commander';
import { commandTree, pathOf } from './command-line.ts';
import type { Output } from './printing/terminal.ts';
import type { Surroundings } from './surroundings.ts';

const nowhere: Output = { write: async () => {}, isTerminal: false, columns: undefined, colors: false };

/** Surroundings for a command tree that is read and never run. */
const none: Surroundings = {
  terminal: { out: nowhere, err: nowhere },
  environment: {},
  folder: '.',
  input: Readable.from([]),
  stopRequest: () => ({ signal: new AbortController().signal, cause: undefined, [Symbol.dispose]: () => {} }),
};

/** Returns the reference page of the command line in Markdown, generated from the commands. */
export function cliReference(): string {
  const program = commandTree(none);
  return [
    '# Command line',
    '',
    'Generated from the commands in `pipelines/aorta/verbs/` by `npm run generate`; a test fails when they drift.',
    '',
    'Data goes to standard output, everything else to standard error; no verb asks questions. `NO_COLOR` is honoured. Logs are JSON lines on standard error.',
    '',
    '| exit code | what |',
    '| --- | --- |',
    '| 0 | done; `run` also where SIGTERM stopped it in order |',
    '| 1 | failed |',
    '| 2 | wrong usage or configuration |',
    '| 3 | done, with dead letters, under `--strict` |',
    '| 4 | needs attention, under `--check` |',
    '| 130, 143 | interrupted by SIGINT, or ended by SIGTERM before it was done; what was reported as loaded is safe |',
    '',
    ...program.commands.flatMap(sections),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function sections(command: Command): string[] {
  if (command.commands.length > 0) return command.commands.flatMap(sections);
  const usage = [pathOf(command), ...command.registeredArguments.map(argumentText), '[options]'].join(' ');
  const lines = [`## \`${pathOf(command)}\``, '', ...command.description().split('\n'), '', '```sh', usage, '```', ''];
  const options = command.options.filter((option) => !option.hidden);
  if (options.length > 0) lines.push('| option | what |', '| --- | --- |', ...options.map(optionRow), '');
  const examples = examplesOf(command);
  if (examples.length > 0) lines.push('```sh', ...examples, '```', '');
  return lines;
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

/** Returns the command lines after `Examples:` in the command's help. */
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
