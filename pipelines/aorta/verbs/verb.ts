import { Command, Option } from 'commander';
import type { SettingOptions } from '../configuration/configuration.ts';
import type { Reading } from '../configuration/sections.ts';
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
