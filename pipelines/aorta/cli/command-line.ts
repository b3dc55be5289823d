import { constants } from 'node:os';
import { prestartThread } from '@aorta/loading/prestart';
import type { AortaError } from '@aorta/runtime';
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import { nearestName } from '../config/nearest-name.ts';
import { ProgramError } from '../errors.ts';
import { type Ending, startWorker, supervise, type Worker } from '../run/supervisor.ts';
import { version } from '../version.ts';
import { type ExitCode, exit } from './exit.ts';
import { callOf, withCommandLines } from './printing/command-lines.ts';
import { printError } from './printing/errors.ts';
import { guarded, processTerminal } from './printing/terminal.ts';
import { listenForStop, type Surroundings } from './surroundings.ts';
import { exitCodeOf, type MakeCommand, pathOf } from './verbs/verb.ts';

/** Imports the commands by their names. A command line needs only one of them, and all of them together take long to load. */
const verbs: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  demo: async () => (await import('./verbs/demo.ts')).demoCommand,
  load: async () => (await import('./verbs/load.ts')).loadCommand,
  run: async () => (await import('./verbs/run.ts')).runCommand,
  backfill: async () => (await import('./verbs/backfill.ts')).backfillCommand,
  query: async () => (await import('./verbs/query.ts')).queryCommand,
  status: async () => (await import('./verbs/status.ts')).statusCommand,
  pulls: async () => (await import('./verbs/pulls.ts')).pullsCommand,
  streams: async () => (await import('./verbs/streams.ts')).streamsCommand,
  tail: async () => (await import('./verbs/tail.ts')).tailCommand,
  dlq: async () => (await import('./verbs/dlq.ts')).deadLettersCommand,
  validate: async () => (await import('./verbs/validate.ts')).validateCommand,
  plan: async () => (await import('./verbs/apply.ts')).planCommand,
  apply: async () => (await import('./verbs/apply.ts')).applyCommand,
  doctor: async () => (await import('./verbs/doctor.ts')).doctorCommand,
  schema: async () => (await import('./verbs/schema.ts')).schemaCommand,
  dev: async () => (await import('./verbs/dev.ts')).devCommand,
  service: async () => (await import('./verbs/service.ts')).serviceCommand,
};

/** Returns the names of the commands that a command line may need. */
function neededVerbs([first = '']: readonly string[]): readonly string[] {
  if (/^(-V|--version)$/.test(first)) return [];
  return Object.hasOwn(verbs, first) ? [first] : Object.keys(verbs);
}

/** Whether a command line loads files. Its loader's thread then loads its modules at the same time as this thread. */
const loads = ([verb, ...words]: readonly string[]): boolean =>
  verb === 'load' && !words.some((word) => /^(-h|--help|--dry-run)$/.test(word));

/** The command that refused its arguments. In a group, it may be the default command. */
const refusing = new WeakMap<CommanderError, Command>();

/** Returns the commands that a command line may need. Default: all. */
export async function commandTree(surroundings: Surroundings, words: readonly string[] = []): Promise<Command> {
  const program = new Command('aorta')
    .description('Load the events of a health-data and lab-testing service into DuckDB or BigQuery.')
    .version(version, '-V, --version', 'print the version')
    .addHelpText(
      'after',
      [
        '',
        'Data goes to standard output, everything else to standard error. NO_COLOR disables colors.',
        '',
        'Exit codes:',
        '  0    success',
        '  1    failure',
        '  2    wrong usage or configuration',
        '  3    success, but with dead letters (--strict)',
        '  4    pulls need attention (--check)',
        '  70   crash: an uncaught exception',
        '  75   transient error; try again',
        '  130  stopped by SIGINT',
        '  143  stopped by SIGTERM',
      ].join('\n'),
    );
  const made = await Promise.all(neededVerbs(words).map((name) => verbs[name]!()));
  for (const make of made) program.addCommand(make(surroundings));
  return program;
}

/** Runs a command line and returns its exit code. Errors are printed, not thrown. */
export async function run(words: readonly string[], given: Surroundings): Promise<ExitCode> {
  const terminal = guarded(given.terminal);
  const surroundings: Surroundings = { ...given, terminal };
  if (loads(words)) prestartThread();
  const program = await commandTree(surroundings, words);
  const written: Promise<unknown>[] = [];
  prepare(program, {
    writeOut: (text) => written.push(terminal.out.write(completedHelp(text, surroundings)).catch((error: unknown) => error)),
    writeErr: (text) => written.push(terminal.err.write(text)),
    // Usage errors are printed below, with a remedy.
    outputError: () => {},
    getOutHelpWidth: () => terminal.out.columns ?? 100,
    getErrHelpWidth: () => terminal.err.columns ?? 100,
    getOutHasColors: () => terminal.out.colors,
    getErrHasColors: () => terminal.err.colors,
  });
  const code = await parsed(program, words, surroundings);
  const failure = (await Promise.all(written)).find((error) => error !== undefined);
  return failure === undefined ? code : await printError(terminal.err, failure, callOf({}, surroundings.environment));
}

async function parsed(program: Command, words: readonly string[], { terminal, environment }: Surroundings): Promise<ExitCode> {
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCodeOf(program) ?? exit.done;
  } catch (error) {
    const call = callOf(commandOf(program, words).opts(), environment);
    if (!(error instanceof CommanderError)) return await printError(terminal.err, error, call);
    if (error.exitCode === 0) return exit.done;
    return error.code === 'commander.help' ? exit.usage : await printError(terminal.err, usageError(error, program, words), call);
  }
}

/** Completes the command lines in the help of a command, including the examples. */
function completedHelp(help: string, { environment }: Surroundings): string {
  const call = callOf({}, environment);
  return withCommandLines(help, call).replace(/(?<=^ {2}\$ (?:.*\| )?)aorta /gm, `${call.program} `);
}

/** Configures a command and all its subcommands, because subcommands do not inherit these settings from their parent. */
function prepare(command: Command, output: OutputConfiguration): void {
  // Commander also suggests names that have little in common with the given one, such as stop for show.
  command.configureOutput(output).showSuggestionAfterError(false);
  command.exitOverride((error) => {
    refusing.set(error, command);
    throw error;
  });
  for (const child of command.commands) prepare(child, output);
}

/** Converts a commander error into AORTA-USAGE. */
function usageError(error: CommanderError, program: Command, words: readonly string[]): AortaError {
  const named = commandOf(program, words);
  if (error.code === 'commander.excessArguments' && named.commands.length > 0) return unknownCommand(named);
  const first = error.message.replace(/^error: /, '');
  const nearest = nearestTo(first, refusing.get(error) ?? named);
  const meant = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  const quotes =
    error.code === 'commander.excessArguments' && named.name() === 'query' ? 'Put the whole statement in quotes. ' : '';
  const path = named === program ? 'aorta --help' : `${pathOf(named)} --help`;
  return new ProgramError('AORTA-USAGE', { problem: first.replace(/\.$/, ''), hint: `${meant}${quotes}See ${path}.` });
}

/** Returns the name that the user probably meant, for an error about an unknown command or option. */
function nearestTo(problem: string, { commands, options }: Command): string | undefined {
  const [, kind, name = ''] = /^unknown (command|option) '([^'=]*)/.exec(problem) ?? [];
  if (kind === 'command')
    return nearestName(
      name,
      commands.map((command) => command.name()),
    );
  return kind === undefined
    ? undefined
    : nearestName(name, ['--help', ...options.flatMap(({ long, hidden }) => (hidden ? [] : [long ?? '']))]);
}

/**
 * Returns the error for a word that a group with a default command does not know. The default command has parsed the word, and
 * takes no arguments.
 */
function unknownCommand(group: Command): AortaError {
  const word = group.commands.flatMap(({ args }) => args)[0] ?? '';
  const names = group.commands.map((command) => command.name());
  const path = pathOf(group);
  if (names.includes(word))
    return new ProgramError('AORTA-USAGE', {
      problem: `the options of ${path} ${word} come before its name`,
      hint: `Write ${path} ${word} first, then the options.`,
    });
  const meant = nearestName(word, names);
  return new ProgramError('AORTA-USAGE', {
    problem: `unknown command '${word}'`,
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}See ${path} --help.`,
  });
}

function commandOf(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((child) => child.name() === word);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

/** Returns the surroundings of a command that runs in this process. `worker` is set if a supervisor started the process. */
export function processSurroundings(worker: Worker | undefined): Surroundings {
  const terminal = processTerminal();
  return {
    terminal,
    environment: process.env,
    folder: process.cwd(),
    input: process.stdin,
    ...(worker === undefined
      ? { supervised: async (options) => codeOf(await supervise({ start: startWorker, ...options })) }
      : { restarts: worker.restarts }),
    stopRequest: (how) =>
      listenForStop((words) => void (how?.quiet || terminal.err.write(`${words}\n`)), process, process.exit, worker?.abandoned),
  };
}

/**
 * Returns the supervisor's exit code after its last worker process has ended. If SIGTERM ended the worker, the stop was normal,
 * so the exit code is 0.
 */
function codeOf({ code, signal }: Ending): ExitCode {
  if (signal === undefined) return code as ExitCode;
  if (signal === 'SIGTERM') return exit.done;
  return (128 + (constants.signals[signal as NodeJS.Signals] ?? 0)) as ExitCode;
}
