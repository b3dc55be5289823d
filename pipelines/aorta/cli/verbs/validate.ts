import { notLanded } from '@aorta/connectors';
import { visible } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import { configuredStreams, configuredWarehouse, streamsPlace, warehousePlace } from '../../config/adapters.ts';
import type { Setting } from '../../config/configuration.ts';
import { editorSchema } from '../../config/reference.ts';
import { exit } from '../exit.ts';
import { withCommandLines } from '../printing/command-lines.ts';
import type { Surroundings } from '../surroundings.ts';
import { type PlaceFlags, settingFor, withPlace } from './setting.ts';
import { action, verb } from './verb.ts';

interface ValidateFlags extends PlaceFlags {
  readonly json?: true;
  readonly schema?: true;
}

export function validateCommand(surroundings: Surroundings): Command {
  const command = verb(
    'validate',
    'check the configuration',
    'Checks the configuration and prints where the data is. Prints all problems at once, each with its line and a correction. It does not check the data or the connections; `aorta doctor` does.',
    ['aorta validate', 'aorta validate --config production.yaml', 'aorta validate --schema > aorta.schema.json'],
  )
    .option('--schema', 'print a JSON Schema of the configuration, for editors')
    .option('--json', 'print one JSON object with `valid`, and either the problems or the settings');
  return action(withPlace(command), async (flags: ValidateFlags) => {
    const { out } = surroundings.terminal;
    if (flags.schema) {
      await out.write(`${JSON.stringify(editorSchema(), undefined, 2)}\n`);
      return exit.done;
    }
    const setting = await settingFor(flags, surroundings, { isElsewhere: true });
    await out.write(flags.json ? `${JSON.stringify(summary(setting))}\n` : sentences(setting));
    return exit.done;
  });
}

function summary(setting: Setting): Record<string, unknown> {
  const { file, configuration } = setting;
  const { adapter: streamLog, at } = configuredStreams(setting);
  const { adapter, settings } = configuredWarehouse(setting);
  return {
    valid: true,
    file: file ?? null,
    sources: configuration.sources.map(({ name, type }) => ({ name, type })),
    streams: { type: streamLog.type, ...streamLog.describe(at.settings, at.folder).facts },
    warehouse: { type: adapter.type, ...adapter.describe(settings).facts },
    privacy: configuration.privacy,
  };
}

function sentences(setting: Setting): string {
  const { file, configuration } = setting;
  const names = configuration.sources.map(({ name }) => name).join(', ');
  return [
    file === undefined ? 'There is no aorta.yaml here; the defaults apply.' : `${file} is correct.`,
    configuration.sources.length === 0
      ? withCommandLines('Sources: none; load files with `aorta load FILE…`', setting.call)
      : `Sources: ${counted(configuration.sources.length, 'source')}: ${names}`,
    `Streams: ${streamsPlace(setting)}`,
    `Warehouse: ${warehousePlace(setting)}`,
    `Not landed: ${notLanded(configuration.privacy).join(', ')}`,
    '',
  ]
    .map(visible)
    .join('\n');
}
