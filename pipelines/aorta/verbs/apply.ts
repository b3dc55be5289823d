import { applyTopics, planTopics, type TopicDifference } from '@aorta/streams';
import { AortaError } from '@aorta/telemetry';
import type { Command } from 'commander';
import { readSetting, type Setting } from '../configuration/configuration.ts';
import { exit } from '../exit.ts';
import { counted } from '../printing/quantity.ts';
import type { Surroundings } from '../surroundings.ts';
import { askTopics } from '../topics.ts';
import { action, type PlaceFlags, verb, withPlace } from './verb.ts';

interface ApplyFlags extends PlaceFlags {
  readonly json?: true;
  readonly grow?: true;
  readonly dryRun?: true;
}

export function planCommand(surroundings: Surroundings): Command {
  const command = verb(
    'plan',
    'what `apply` would change',
    'Compares the topics of the streams with the configuration: which are missing, which have another number of partitions or other settings. Changes nothing. Local streams need nothing made.',
    ['aorta plan', 'aorta plan --json'],
  ).option('--json', 'a JSON array, one object per difference');
  return action(withPlace(command), async (flags: ApplyFlags) => {
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
    await tell(surroundings, flags, await planOf(setting));
    return exit.done;
  });
}

export function applyCommand(surroundings: Surroundings): Command {
  const command = verb(
    'apply',
    'make the topics that are missing',
    'Makes the topics of the streams that are missing. Those that are there stay as they are, and what differs in them is said: nothing is taken away, and no setting is changed.',
    ['aorta apply', 'aorta apply --dry-run', 'aorta apply --grow'],
  )
    .option('--grow', 'add partitions where there are fewer than configured: most users’ records go to another one from then on')
    .option('--dry-run', 'as `aorta plan`')
    .option('--json', 'a JSON array, one object per difference that is left');
  return action(withPlace(command), async (flags: ApplyFlags) => {
    const setting = readSetting(flags, surroundings.environment, surroundings.folder);
    const { streams } = setting.configuration;
    if (flags.dryRun || streams.type === 'local') {
      await tell(surroundings, flags, await planOf(setting));
      return exit.done;
    }
    const { made, grown, left } = await askTopics(streams, (admin) => applyTopics(admin, streams, { grow: flags.grow === true }));
    if (!flags.json) {
      const { out } = surroundings.terminal;
      if (made.length > 0) await out.write(`Made ${counted(made.length, 'topic')}.\n`);
      if (grown.length > 0) await out.write(`Added partitions to ${counted(grown.length, 'topic')}.\n`);
    }
    await tell(surroundings, flags, left);
    const missing = left.find(({ kind }) => kind === 'missing');
    if (missing !== undefined) throw new AortaError('AORTA-STREAM-TOPIC-MISSING', { topic: missing.topic });
    return exit.done;
  });
}

async function planOf({ configuration: { streams } }: Setting): Promise<readonly TopicDifference[]> {
  return streams.type === 'local' ? [] : askTopics(streams, (admin) => planTopics(admin, streams));
}

async function tell({ terminal }: Surroundings, flags: ApplyFlags, differences: readonly TopicDifference[]): Promise<void> {
  const lines = differences.map((difference) => `${sentence(difference)}\n`).join('');
  const text = differences.length === 0 ? 'Nothing differs from the configuration.\n' : lines;
  await terminal.out.write(flags.json ? `${JSON.stringify(differences, undefined, 2)}\n` : text);
}

function sentence(difference: TopicDifference): string {
  const { topic } = difference;
  if (difference.kind === 'missing') return `${topic} is missing.`;
  if (difference.kind === 'partitions')
    return `${topic} has ${counted(difference.found, 'partition')}; configured are ${difference.declared}.`;
  return `${topic} has ${difference.setting}=${difference.found ?? '(unknown)'}; configured is ${difference.declared}.`;
}
