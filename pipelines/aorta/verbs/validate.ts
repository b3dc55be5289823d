import { notLanded } from '@aorta/warehouse';
import type { Command } from 'commander';
import type { Setting } from '../configuration/configuration.ts';
import { editorSchema } from '../configuration/reference.ts';
import { streamsPlace } from '../configuration/streams-place.ts';
import { warehousePlace } from '../configuration/warehouse-place.ts';
import { exit } from '../exit.ts';
import { counted } from '../printing/quantity.ts';
import type { Surroundings } from '../surroundings.ts';
import { settingFor } from './setting-for.ts';
import { action, type PlaceFlags, verb, withPlace } from './verb.ts';

interface ValidateFlags extends PlaceFlags {
  readonly json?: true;
  readonly schema?: true;
}

export function validateCommand(surroundings: Surroundings): Command {
  const command = verb(
    'validate',
    'check the configuration',
    'Checks the configuration and says where the data stands. Every problem is told with its line and a correction, all at once. Nothing is opened or reached: `aorta doctor` does that.',
    ['aorta validate', 'aorta validate --config production.yaml', 'aorta validate --schema > aorta.schema.json'],
  )
    .option('--schema', 'print a JSON Schema of the configuration, for editors')
    .option('--json', 'one JSON object: `valid`, and the problems or what the configuration says');
  return action(withPlace(command), async (flags: ValidateFlags) => {
    const { out } = surroundings.terminal;
    if (flags.schema) {
      await out.write(`${JSON.stringify(editorSchema(), undefined, 2)}\n`);
      return exit.done;
    }
    const setting = await settingFor(flags, surroundings);
    await out.write(flags.json ? `${JSON.stringify(summary(setting))}\n` : sentences(setting));
    return exit.done;
  });
}

function summary({ file, configuration, place }: Setting): Record<string, unknown> {
  return {
    valid: true,
    file: file ?? null,
    sources: configuration.sources.map(({ name, type }) => ({ name, type })),
    streams:
      configuration.streams.type === 'kafka'
        ? { type: 'kafka', brokers: configuration.streams.brokers, prefix: configuration.streams.prefix }
        : { type: 'local', folder: place.streams },
    warehouse:
      configuration.warehouse.type === 'bigquery'
        ? { type: 'bigquery', project: configuration.warehouse.project, dataset: configuration.warehouse.dataset }
        : { type: 'duckdb', path: place.warehouse },
    privacy: configuration.privacy,
  };
}

function sentences(setting: Setting): string {
  const { file, configuration } = setting;
  const names = configuration.sources.map(({ name }) => name).join(', ');
  return [
    file === undefined ? 'There is no aorta.yaml here: the defaults hold.' : `${file} is correct.`,
    configuration.sources.length === 0
      ? 'Sources: none (aorta load takes files)'
      : `Sources: ${counted(configuration.sources.length, 'source')}: ${names}`,
    `Streams: ${streamsPlace(setting)}`,
    `Warehouse: ${warehousePlace(setting)}`,
    `Not landed: ${notLanded(configuration.privacy).join(', ')}`,
    '',
  ].join('\n');
}
