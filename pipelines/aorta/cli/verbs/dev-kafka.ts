import { once } from 'node:events';
import { resolve } from 'node:path';
import type { NewTopic } from '@aorta/kafka-broker';
import { counted } from '@aorta/runtime/quantity';
import type { Command } from 'commander';
import { ProgramError } from '../../errors.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type Surroundings, stoppedBy } from '../surroundings.ts';
import { notStarted, repositoryOnly, yamlWord } from './local-server.ts';
import { action, verb, wholeNumber } from './verb.ts';

interface KafkaFlags {
  readonly topic?: readonly NewTopic[];
  readonly folder?: string;
  readonly port: number;
  readonly json?: true;
}

const highestPort = 65_535;
const defaultTopics: readonly NewTopic[] = [{ name: 'health-events', partitions: 4 }];

export function kafkaCommand(surroundings: Surroundings): Command {
  const command = verb(
    'kafka',
    'run a Kafka broker on this machine',
    'Runs one Apache Kafka broker on 127.0.0.1 until SIGINT (exit code 130) or SIGTERM (exit code 0). Prints the settings for aorta.yaml. The command needs Java 17 or newer, and Maven to download Kafka at the first start. Clients need no credentials. The broker loses its records when it stops, unless you give --folder. Topics that already exist in the folder stay unchanged.',
    ['aorta dev kafka', 'aorta dev kafka --topic daily:8 --topic rest:2 --folder kafka', 'aorta dev kafka --port 0 --json'],
  )
    .option(
      '--topic <name:partitions>',
      'topic and its number of partitions; may be repeated (default: health-events:4)',
      addTopic,
    )
    .option('--folder <folder>', 'folder in which to keep the topics')
    .option('--port <n>', 'port of the broker; 0 picks a free one', wholeNumber('--port', 0, highestPort), 9092)
    .option('--json', 'print one JSON object with port, brokers and topics');
  return action(command, (flags: KafkaFlags) => serveKafka(flags, surroundings));
}

function addTopic(text: string, before: readonly NewTopic[] = []): readonly NewTopic[] {
  const [, name, partitions] = /^([A-Za-z0-9._-]{1,249}):([1-9]\d{0,3})$/.exec(text) ?? [];
  if (name !== undefined && !/^\.{1,2}$/.test(name)) return [...before, { name, partitions: Number(partitions) }];
  throw new ProgramError('AORTA-USAGE', {
    problem: '--topic needs a name (letters, digits, dots, hyphens and underscores) and a number of partitions, 1 to 9999',
    hint: 'Write --topic health-events:4.',
  });
}

async function serveKafka(flags: KafkaFlags, { terminal, stopRequest, folder: from }: Surroundings): Promise<ExitCode> {
  const topics = flags.topic ?? defaultTopics;
  const kafka = await repositoryOnly('aorta dev kafka', () => import('@aorta/kafka-broker'));
  const refuse = (error: unknown): never => {
    throw notStarted(error, 'AORTA-KAFKA-LOCAL', kafka);
  };
  await using broker = await kafka.KafkaBroker.start({
    port: flags.port,
    folder: flags.folder === undefined ? undefined : resolve(from, flags.folder),
    fetching: () => void terminal.err.write('Downloading Kafka from Maven Central (once, about half a minute) …\n'),
  }).catch(refuse);
  for (const topic of topics) await kafka.createTopic(broker.brokers[0]!, topic).catch(refuse);
  using stop = stopRequest({ quiet: true });
  const { brokers } = broker;
  const port = Number(brokers[0]!.split(':')[1]);
  await terminal.out.write(flags.json ? `${JSON.stringify({ port, brokers, topics })}\n` : settings(brokers, topics));
  const served = topics.map(({ name, partitions }) => `${name} with ${counted(partitions, 'partition')}`).join(', ');
  await terminal.err.write(`Serving ${served} on port ${port}. Press Ctrl-C to stop.\n`);
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
  return stop.cause === 'SIGTERM' ? exit.done : stoppedBy('SIGINT');
}

function settings(brokers: readonly string[], topics: readonly NewTopic[]): string {
  return [
    '# in aorta.yaml',
    'sources:',
    '  - type: kafka',
    `    brokers: ['${brokers.join("', '")}']`,
    `    topics: [${topics.map(({ name }) => yamlWord(name)).join(', ')}]`,
    '',
  ].join('\n');
}
