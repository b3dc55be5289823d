import { type AortaError, createLogger, isAortaError, type LogFields, type Logger, type LogLevel } from '@aorta/runtime';
import { Command, Option } from 'commander';
import { readSetting, type Setting, type SettingOptions } from '../../config/configuration.ts';
import { ConfigurationRefused } from '../../config/problems.ts';
import type { Section } from '../../config/schema.ts';
import { ProgramError } from '../../errors.ts';
import type { ExitCode } from '../exit.ts';
import { type Call, callOf, withCommandLines } from '../printing/command-lines.ts';
import type { Surroundings } from '../surroundings.ts';

const codes = new WeakMap<Command, ExitCode>();

/** Creates a command without options. `examples` are complete command lines. */
export function verb(nameAndArguments: string, summary: string, description: string, examples: readonly string[]): Command {
  const command = new Command(nameAndArguments.split(' ')[0]);
  for (const argument of nameAndArguments.split(' ').slice(1)) command.argument(argument);
  command.summary(summary).description(description);
  if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
  return command;
}

/** Adds the options that select the configuration and the data. */
export function withPlace(command: Command): Command {
  return command
    .addOption(new Option('--config <file>', 'configuration file (default: ./aorta.yaml if it exists)'))
    .addOption(new Option('--warehouse <duckdb:path>', 'use this warehouse instead of the configured one'))
    .addOption(new Option('--data <folder>', 'data folder, which contains streams/ and warehouse.duckdb'));
}

export type PlaceFlags = SettingOptions;

/** Returns the full name of a command, such as `aorta dlq show`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

export function exitCodeOf(command: Command): ExitCode | undefined {
  const own = codes.get(command);
  if (own !== undefined) return own;
  for (const child of command.commands) {
    const code = exitCodeOf(child);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Sets the function that a command runs. The function returns the exit code. */
export function action<Options, Arguments extends readonly unknown[]>(
  command: Command,
  act: (options: Options, ...values: Arguments) => Promise<ExitCode>,
): Command {
  return command.action(async (...given: unknown[]) => {
    const values = given.slice(0, command.registeredArguments.length) as unknown as Arguments;
    codes.set(command, await act(command.opts() as Options, ...values));
  });
}

export type MakeCommand = (surroundings: Surroundings) => Command;

/** Returns a parser for an option whose value must be a whole number from `least` to `most`. */
export function wholeNumber(option: string, least: number, most: number = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    const upTo = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
    throw new ProgramError('AORTA-USAGE', { problem: `${option} needs a whole number`, hint: `Give ${upTo}.` });
  };
}

/**
 * Calls {@link readSetting}. If the configuration is invalid and the flag `--json` is given, prints
 * `{"valid":false,"problems":[…]}` to standard output before it rethrows the error.
 */
export async function settingFor<Needed extends Section = Section>(
  flags: PlaceFlags & { readonly json?: true },
  { environment, folder, terminal }: Pick<Surroundings, 'environment' | 'folder' | 'terminal'>,
  how: { readonly needs?: readonly Needed[]; readonly isElsewhere?: boolean } = {},
): Promise<Setting<Needed>> {
  try {
    return readSetting(flags, environment, folder, how);
  } catch (error) {
    const problems = error instanceof ConfigurationRefused ? error.problems : isAortaError(error) ? [error] : [];
    if (flags.json && problems.length > 0)
      await terminal.out.write(
        `${JSON.stringify({ valid: false, problems: problems.map((one) => problemOf(one, callOf(flags, environment))) }, undefined, 2)}\n`,
      );
    throw error;
  }
}

function problemOf({ code, message, remedy, details }: AortaError, call: Call): Record<string, unknown> {
  const { file = null, line = null, column = null, field = null } = details;
  return { code, file, line, column, field, message, remedy: withCommandLines(remedy, call) };
}

/** Creates the logger of a command. `level` applies if no level is configured. */
export function logFor({ configuration, call }: Pick<Setting<'log'>, 'configuration' | 'call'>, level: LogLevel): Logger {
  const logger = createLogger(configuration.log.level ?? level);
  const complete = (fields: LogFields = {}): LogFields =>
    typeof fields.remedy === 'string' ? { ...fields, remedy: withCommandLines(fields.remedy, call) } : fields;
  return {
    ...logger,
    warn: (event, fields) => logger.warn(event, complete(fields)),
    error: (event, fields) => logger.error(event, complete(fields)),
  };
}

/** Returns a logger that drops errors, for a command that prints errors itself. */
export function withoutErrors(logger: Logger): Logger {
  return { ...logger, error: () => {} };
}
