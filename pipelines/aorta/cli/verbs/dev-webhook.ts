import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { type Logger, silentLogger } from '@aorta/runtime';
import { counted } from '@aorta/runtime/quantity';
import { shellWord } from '@aorta/runtime/shell-word';
import type { Command } from 'commander';
import { run } from '../../run/library.ts';
import { type ExitCode, exit } from '../exit.ts';
import { callOf, withCommandLines } from '../printing/command-lines.ts';
import { secretFrom } from '../secret-word.ts';
import { type Surroundings, stoppedBy } from '../surroundings.ts';
import { yamlWord } from './local-server.ts';
import { action, verb, wholeNumber } from './verb.ts';

interface WebhookFlags {
  readonly folder: string;
  readonly port: number;
  readonly path: string;
  readonly secret?: string;
  readonly json?: true;
}

/** The address and the secret that a sender needs. */
interface Endpoint {
  readonly url: string;
  readonly secret: string;
}

const HIGHEST_PORT = 65_535;
/** Seconds for which the printed command stays valid. It contains a signed time. */
const DAY_S = 86_400;

export function webhookCommand(surroundings: Surroundings): Command {
  const command = verb(
    'webhook',
    'receive webhooks on this machine',
    'Serves a webhook endpoint on 127.0.0.1 until SIGINT (exit code 130) or SIGTERM (exit code 0). Prints the settings for aorta.yaml, and a curl command that posts a signed first event. The events are loaded into the tables of a folder, which `aorta query --data` and `aorta tail --data` read. The printed command is valid for a day.',
    ['aorta dev webhook', 'aorta dev webhook --path /events --folder events', 'aorta dev webhook --port 0 --json'],
  )
    .option('--folder <folder>', 'data folder for the events', 'aorta-webhook')
    .option('--port <n>', 'port of the endpoint; 0 picks a free one', wholeNumber('--port', 0, HIGHEST_PORT), 8080)
    .option('--path <path>', 'path of the endpoint', '/webhook')
    .option('--secret <secret>', 'signing secret: whsec_ and Base64 (default: a random one)', secretFrom('--secret'))
    .option('--json', 'print one JSON object with url, secret and the curl command');
  return action(command, (flags: WebhookFlags) => serveWebhook(flags, surroundings));
}

async function serveWebhook(
  flags: WebhookFlags,
  { terminal, stopRequest, folder, environment }: Surroundings,
): Promise<ExitCode> {
  const secret = flags.secret ?? `whsec_${randomBytes(24).toString('base64')}`;
  const listen = `127.0.0.1:${flags.port}`;
  using stop = stopRequest({ quiet: true });
  const call = callOf({ data: flags.folder }, environment);
  const unwritten = new AbortController();
  let reported = '';
  const running = run(
    { sources: [{ type: 'webhook', listen, path: flags.path, secrets: [secret], tolerance_s: DAY_S }] },
    {
      folder,
      data: flags.folder,
      signal: AbortSignal.any([stop.signal, unwritten.signal]),
      logger: onOpened((url) => {
        const endpoint = { url, secret };
        const text = flags.json ? `${JSON.stringify({ ...endpoint, curl: curl(endpoint) })}\n` : instructions(endpoint, flags);
        terminal.out.write(text).catch((error: unknown) => unwritten.abort(error));
        terminal.err.write(`Serving ${url}. Press Ctrl-C to stop.\n`);
      }),
      on: {
        progress: ({ received, kept, deadLetters }) => {
          reported = `${counted(received, 'event')} received, ${kept} kept, ${deadLetters} unreadable`;
          terminal.err.write(`${reported}\n`);
        },
        error: ({ message, remedy }) => {
          terminal.err.write(`${message}\n  ${withCommandLines(remedy, call)}\n`);
        },
      },
    },
  );
  await running;
  unwritten.signal.throwIfAborted();
  return stop.cause === 'SIGTERM' ? exit.done : stoppedBy('SIGINT');
}

/** Returns a logger that calls `opened` with the URL of the endpoint, once the endpoint is served. */
function onOpened(opened: (url: string) => void): Logger {
  return {
    ...silentLogger,
    info: (event, fields) => {
      if (event === 'webhook endpoint opened') opened(String(fields?.url));
    },
  };
}

/** Returns the shell command that sets the secret, the settings for `aorta.yaml`, and the command that posts an event. */
function instructions(endpoint: Endpoint, { path }: WebhookFlags): string {
  return [
    '# in the shell',
    `export WEBHOOK_SECRET='${endpoint.secret}'`,
    '',
    '# in aorta.yaml',
    'sources:',
    '  - type: webhook',
    `    listen: ${new URL(endpoint.url).host}`,
    `    path: ${yamlWord(path)}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration expands the variable
    '    secrets: ["${WEBHOOK_SECRET}"]',
    '',
    '# a first event',
    curl(endpoint),
    '',
  ].join('\n');
}

/** Returns a command that posts a signed event: the steps of a person on one day. */
function curl({ url, secret }: Endpoint): string {
  const user = randomUUID();
  const event = {
    event_type: 'daily.data.activity.created',
    team_id: randomUUID(),
    user_id: user,
    client_user_id: 'first-user',
    data: {
      id: randomUUID(),
      user_id: user,
      date: '2026-01-31T00:00:00+00:00',
      calendar_date: '2026-01-31',
      steps: 8400,
      source: { provider: 'oura', type: 'ring' },
    },
  };
  const body = JSON.stringify(event);
  const id = `msg_${randomUUID()}`;
  const timestamp = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return [
    `curl --fail-with-body -X POST ${shellWord(url)}`,
    `  -H 'content-type: application/json'`,
    `  -H 'svix-id: ${id}'`,
    `  -H 'svix-timestamp: ${timestamp}'`,
    `  -H 'svix-signature: v1,${signature}'`,
    `  -d '${body}'`,
  ].join(' \\\n');
}
