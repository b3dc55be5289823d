import { Command, Option } from 'commander';
import type { SettingOptions } from '../../config/configuration.ts';
import type { Reading } from '../../config/sections.ts';
import { ProgramError } from '../../errors.ts';
import type { ExitCode } from '../exit.ts';
import type { Surroundings } from '../surroundings.ts';

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

/** The sections of the configuration that a command reads. With one of the options in `when`, it reads these instead. */
export interface DeclaredReading extends Reading {
  readonly when?: readonly string[];
}

const readings = new WeakMap<Command, readonly DeclaredReading[]>();

/** Declares what a command reads of the configuration, for the reference. The command passes the same to `readSetting`. */
export function reading(command: Command, ...declared: readonly DeclaredReading[]): Command {
  readings.set(command, declared);
  return command;
}

export function readingsOf(command: Command): readonly DeclaredReading[] {
  return readings.get(command) ?? [];
}

/** Returns the full name of a command, such as `aorta dlq show`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

const codes = new WeakMap<Command, ExitCode>();

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
 * Imports a package from `infra/`, which only the repository contains. Rejects with AORTA-SERVERS-ABSENT if the package is
 * not installed. `command`: the command that needs the package, such as `aorta dev kafka`.
 */
export async function repositoryOnly<M>(command: string, load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // If a third-party package is missing, the original error is thrown.
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@aorta/")) throw error;
    throw new ProgramError('AORTA-SERVERS-ABSENT', { command });
  }
}
