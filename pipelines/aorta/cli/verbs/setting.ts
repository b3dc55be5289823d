import { type AortaError, isAortaError } from '@aorta/runtime';
import { type Command, Option } from 'commander';
import { readSetting, type Setting, type SettingOptions } from '../../config/configuration.ts';
import type { Section } from '../../config/schema.ts';
import { ConfigurationRefused } from '../../errors.ts';
import { type Call, callOf, withCommandLines } from '../printing/command-lines.ts';
import type { Surroundings } from '../surroundings.ts';

/** Adds the options that select the configuration and the data. */
export function withPlace(command: Command): Command {
  return command
    .addOption(new Option('--config <file>', 'configuration file (default: ./aorta.yaml if it exists)'))
    .addOption(new Option('--warehouse <duckdb:path>', 'use this warehouse instead of the configured one'))
    .addOption(new Option('--data <folder>', 'data folder, which contains streams/ and warehouse.duckdb'));
}

export type PlaceFlags = SettingOptions;

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
