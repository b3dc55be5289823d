import { once } from 'node:events';
import { resolve } from 'node:path';
import type { EventHubsServer, HubDeclaration } from '@aorta/event-hubs-server';
import { type AortaError, visible } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { Command } from 'commander';
import { ProgramError } from '../../errors.ts';
import { type ExitCode, exit } from '../exit.ts';
import { type Surroundings, stoppedBy } from '../surroundings.ts';
import { bigQueryCommand } from './dev-bigquery.ts';
import { kafkaCommand } from './dev-kafka.ts';
import { webhookCommand } from './dev-webhook.ts';
import { type AllowedHosts, allowedBy, repositoryOnly, withAllowedHosts, yamlWord } from './local-server.ts';
import { action, verb, wholeNumber } from './verb.ts';

const defaultHubs: readonly HubDeclaration[] = [{ name: 'health-events', partitions: 4 }];

export function devCommand(surroundings: Surroundings): Command {
  return new Command('dev')
    .summary('run local servers for development')
    .description(
      'Local servers for development: replacements for Event Hubs, Kafka and BigQuery, and an endpoint for webhooks. Each prints the settings for aorta.yaml.',
    )
    .addCommand(eventHubsCommand(surroundings))
    .addCommand(kafkaCommand(surroundings))
    .addCommand(bigQueryCommand(surroundings))
    .addCommand(webhookCommand(surroundings));
}

interface EventHubsFlags extends AllowedHosts {
  readonly hub?: readonly HubDeclaration[];
  readonly folder?: string;
  readonly port: number;
  readonly controlPort: number;
  readonly json?: true;
}

const highestPort = 65_535;

function eventHubsCommand(surroundings: Surroundings): Command {
  const command = verb(
    'event-hubs',
    'run a local server that replaces Event Hubs',
    'Serves event hubs on 127.0.0.1 until SIGINT (exit code 130) or SIGTERM (exit code 0). Prints the connection string and the settings for aorta.yaml. The official Event Hubs clients work with this server unchanged, and the server verifies their tokens. The server loses its events when it stops, unless you give --folder. POST requests to the control port inject faults: detach, close, reset, freeze and more. The control port and WebSockets refuse requests from pages in a browser.',
    [
      'aorta dev event-hubs',
      'aorta dev event-hubs --hub daily:8 --hub rest:2 --folder hubs',
      'aorta dev event-hubs --port 0 --json',
    ],
  )
    .option('--hub <name:partitions>', 'hub and its number of partitions; may be repeated (default: health-events:4)', addHub)
    .option('--folder <folder>', 'folder in which to keep the events')
    .option('--port <n>', 'AMQP port; 0 picks a free one', wholeNumber('--port', 0, highestPort), 5672)
    .option('--control-port <n>', 'control port; 0 picks a free one', wholeNumber('--control-port', 0, highestPort), 5673)
    .option('--json', 'print one JSON object with ports, connection string and hubs');
  return action(withAllowedHosts(command), (flags: EventHubsFlags) => serveEventHubs(flags, surroundings));
}

function addHub(text: string, before: readonly HubDeclaration[] = []): readonly HubDeclaration[] {
  const [, name, partitions] = /^([^:]+):(\d+)$/.exec(text) ?? [];
  if (name !== undefined) return [...before, { name, partitions: Number(partitions) }];
  throw new ProgramError('AORTA-USAGE', {
    problem: '--hub needs a name and a number of partitions',
    hint: 'Write --hub health-events:4.',
  });
}

async function serveEventHubs(flags: EventHubsFlags, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, stopRequest } = surroundings;
  const hubs = flags.hub ?? defaultHubs;
  await using server = await start(flags, hubs, surroundings.folder);
  using stop = stopRequest({ quiet: true });
  const { port, controlPort, connectionString } = server;
  const facts = { port, control_port: controlPort, connection_string: connectionString, hubs };
  await terminal.out.write(flags.json ? `${JSON.stringify(facts)}\n` : settings(connectionString, hubs));
  const served = hubs.map(({ name, partitions }) => `${visible(name)} with ${counted(partitions, 'partition')}`).join(', ');
  await terminal.err.write(`Serving ${served} on port ${port}, with control port ${controlPort}. Press Ctrl-C to stop.\n`);
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
  return stop.cause === 'SIGTERM' ? exit.done : stoppedBy('SIGINT');
}

async function start(flags: EventHubsFlags, hubs: readonly HubDeclaration[], from: string): Promise<EventHubsServer> {
  const { startEventHubs } = await repositoryOnly('aorta dev event-hubs', () => import('@aorta/event-hubs-server'));
  const { port, controlPort, folder } = flags;
  try {
    return await startEventHubs({
      hubs,
      port,
      controlPort,
      ...allowedBy(flags),
      folder: folder === undefined ? undefined : resolve(from, folder),
    });
  } catch (error) {
    if (error instanceof RangeError) throw refused(error.message, 'Correct the value of --hub.');
    const { code, port: taken } = error as NodeJS.ErrnoException & { port?: number };
    if (code !== 'EADDRINUSE') throw error;
    throw refused(`port ${taken} is in use`, 'Choose a different one with --port or --control-port; 0 picks a free one.');
  }
}

function refused(problem: string, hint: string): AortaError {
  return new ProgramError('AORTA-USAGE', { problem, hint });
}

/** Returns the shell command that sets the environment variable, and the settings for `aorta.yaml`. */
function settings(connectionString: string, hubs: readonly HubDeclaration[]): string {
  return [
    '# in the shell',
    `export EVENT_HUBS_CONNECTION='${connectionString}'`,
    '',
    '# in aorta.yaml',
    'sources:',
    '  - type: event-hubs',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration expands the variable
    '    connection: "${EVENT_HUBS_CONNECTION}"',
    `    hubs: [${hubs.map(({ name }) => yamlWord(name)).join(', ')}]`,
    '',
  ].join('\n');
}
