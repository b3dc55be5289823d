import { type AortaError, isAortaError } from '@aorta/runtime';
import { ConfigurationRefused, readSetting, type Setting } from '../../config/configuration.ts';
import type { Reading, Section } from '../../config/sections.ts';
import { type Call, callOf, withCommandLines } from '../printing/command-lines.ts';
import type { Surroundings } from '../surroundings.ts';
import type { PlaceFlags } from './verb.ts';

/**
 * Calls {@link readSetting}. If the configuration is invalid and the flag `--json` is given, prints
 * `{"valid":false,"problems":[…]}` to standard output before it rethrows the error.
 */
export async function settingFor<Opened extends Section, Shown extends Section = never>(
  flags: PlaceFlags & { readonly json?: true },
  { environment, folder, terminal }: Pick<Surroundings, 'environment' | 'folder' | 'terminal'>,
  reads: Reading<Opened, Shown>,
): Promise<Setting<Opened, Shown>> {
  try {
    return readSetting(flags, environment, folder, { reads });
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
