import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type AortaError, type FolderLock, isAortaError, lockFolder, makeFolder } from '@aorta/runtime';
import type { ServedService, StateError } from '@aorta/service';
import type { Command } from 'commander';
import { z } from 'zod';
import { ProgramError } from '../../../errors.ts';
import { type ExitCode, exit } from '../../exit.ts';
import { type Call, callOf, commandLine, withCommandLines } from '../../printing/command-lines.ts';
import { secretFrom } from '../../secret-word.ts';
import { type Surroundings, stoppedBy } from '../../surroundings.ts';
import { type AllowedHosts, allowedBy, repositoryOnly, withAllowedHosts } from '../local-server.ts';
import { action, verb, wholeNumber } from '../verb.ts';
import { DEFAULT_CONTROL_PORT, DEFAULT_PORT, VARIABLE } from './control-port.ts';

/** Name of the environment variable that has the key of the secrets in the state. */
const SECRET_KEY = 'AORTA_SERVICE_SECRET_KEY';

interface ServiceFlags extends AllowedHosts {
  readonly folder?: string;
  readonly port: number;
  readonly controlPort: number;
  readonly seed?: number;
  readonly start?: number;
  readonly stopped?: true;
  readonly rateLimit?: number;
  readonly allowLinkLocal?: true;
  readonly json?: true;
}

const HIGHEST_PORT = 65_535;

const FIRST = 0;
/** Last instant with a year of four digits. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const date = z.iso.date();
const dateTime = z.iso.datetime({ offset: true });

/** Parses the value of `--start` as milliseconds since 1970. A date is its midnight in UTC. */
function startTime(text: string): number {
  const isTime = date.safeParse(text).success || dateTime.safeParse(text).success;
  const time = isTime ? Date.parse(text) : Number.NaN;
  if (time >= FIRST && time <= LAST) return time;
  throw new ProgramError('AORTA-USAGE', {
    problem: `--start needs a date, or a time with an offset, in the years 1970 to 9999`,
    hint: 'For example --start 2025-05-08, or --start 2025-05-08T12:00:00+02:00.',
  });
}

export function startCommand(surroundings: Surroundings): Command {
  const command = verb(
    'start',
    'run a local replacement of the health-data service (default)',
    'Serves the API of the health-data service on 127.0.0.1 until SIGINT (exit code 130) or SIGTERM (exit code 0), with synthetic users and data. Prints the addresses, and a command that creates a team with its key. The other commands of `aorta service` use the control port: they create teams, connections, webhook endpoints and pipelines, move the clock, and inject faults. Both ports refuse requests from pages of other sites in a browser. `aorta service` alone starts the service, too. The state is lost when the service stops, unless you give --folder. AORTA_SERVICE_SECRET_KEY has the key that encrypts the secrets in the state: 32 bytes in Base64. If it is not set, the service creates the key file FOLDER/service.sqlite.key, which only its owner can read. One process at a time can use a folder. If the folder already has a state, --seed, --start and --stopped must fit it, so you can repeat a command line.',
    [
      'aorta service',
      'aorta service --folder service --seed 1 --stopped',
      'aorta service --start 2025-05-08 --stopped',
      'aorta service --port 0 --control-port 0 --json',
    ],
  )
    .option('--folder <folder>', 'folder in which to keep the state')
    .option('--port <n>', 'port of the API; 0 picks a free one', wholeNumber('--port', 0, HIGHEST_PORT), DEFAULT_PORT)
    .option(
      '--control-port <n>',
      'control port; 0 picks a free one',
      wholeNumber('--control-port', 0, HIGHEST_PORT),
      DEFAULT_CONTROL_PORT,
    )
    .option(
      '--seed <n>',
      'seed of the ids; the same seed and requests give the same ids (default: a random one)',
      wholeNumber('--seed', 0, 2 ** 31),
    )
    .option(
      '--start <time>',
      'virtual time at which the clock starts: a date (midnight UTC), or a time with an offset (default: now)',
      startTime,
    )
    .option('--stopped', 'start with a stopped clock, which moves only with `aorta service clock`')
    .option(
      '--rate-limit <n>',
      'maximum number of requests per key and minute (default: no limit)',
      wholeNumber('--rate-limit', 1),
    )
    .option(
      '--allow-link-local',
      'allow webhooks to link-local addresses (169.254.0.0/16 and fe80::/10), where cloud machines get their credentials',
    )
    .option('--json', 'print one JSON object with url and control_url');
  return action(withAllowedHosts(command), (flags: ServiceFlags) => serveService(flags, surroundings));
}

async function serveService(flags: ServiceFlags, surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, stopRequest, environment } = surroundings;
  const library = await repositoryOnly('aorta service', () => import('@aorta/service'));
  const folder = flags.folder === undefined ? undefined : resolve(surroundings.folder, flags.folder);
  // The order matters, because the last one ends first: the service stops, and only then another process can use the folder.
  using stop = stopRequest({ quiet: true });
  await using _lock = folder === undefined ? undefined : await locked(folder);
  await using served = await start(library, flags, { folder, secretKey: secretFrom(SECRET_KEY)(environment[SECRET_KEY] ?? '') });
  // V8 would reserve 128 MB for new objects while the clock moves by days. Most of them die young, so that saves little time.
  setFlagsFromString('--semi-space-growth-factor=1');
  const { url, controlUrl } = served;
  const call = callOf(isUsual(controlUrl) ? {} : { controlUrl }, environment);
  await terminal.out.write(flags.json ? `${JSON.stringify({ url, control_url: controlUrl })}\n` : instructions(served, call));
  await terminal.err.write(`Serving ${url}, with control port ${new URL(controlUrl).port}. Press Ctrl-C to stop.\n`);
  if (flags.stopped && served.service.clock.runs)
    await terminal.err.write(
      withCommandLines('The clock runs, because it was running before. Stop it with `aorta service clock stop`.\n', call),
    );
  if (!stop.signal.aborted) await once(stop.signal, 'abort');
  return stop.cause === 'SIGTERM' ? exit.done : stoppedBy('SIGINT');
}

async function locked(folder: string): Promise<FolderLock> {
  await makeFolder(folder);
  try {
    return await lockFolder(folder);
  } catch (error) {
    if (!isAortaError(error) || error.code !== 'AORTA-DATA-LOCKED') throw error;
    throw new ProgramError('AORTA-STATE-LOCKED', { folder, pid: error.details.pid! });
  }
}

/** The folder of the state, and the key of the secrets in it. */
interface Kept {
  readonly folder: string | undefined;
  /** Empty if there is none. */
  readonly secretKey: string;
}

async function start(
  { startService, StateError: Refused }: typeof import('@aorta/service'),
  { port, controlPort, seed, start: from, stopped, rateLimit, allowLinkLocal, ...flags }: ServiceFlags,
  { folder, secretKey }: Kept,
): Promise<ServedService> {
  try {
    return await startService({
      port,
      controlPort,
      ...allowedBy(flags),
      allowLinkLocal,
      path: folder === undefined ? undefined : join(folder, 'service.sqlite'),
      secretKey: secretKey || undefined,
      seed,
      start: from,
      runs: stopped === undefined ? undefined : false,
      rateLimit: rateLimit === undefined ? undefined : { requests: rateLimit, seconds: 60 },
    });
  } catch (error) {
    if (error instanceof Refused) throw refusal(error, folder!);
    const { code, port: taken } = error as NodeJS.ErrnoException & { port?: number };
    if (code !== 'EADDRINUSE') throw error;
    throw new ProgramError('AORTA-USAGE', {
      problem: `port ${taken} is in use`,
      hint: 'Choose a different one with --port or --control-port; 0 picks a free one.',
    });
  }
}

const flagOf = { seed: '--seed', start: '--start', runs: '--stopped' } as const;

/** Converts a {@link StateError} into an error of the catalogue. */
function refusal({ message, remedy, option }: StateError, folder: string): AortaError {
  const problem = message.replace(/\.$/, '');
  if (option === undefined) return new ProgramError('AORTA-STATE-UNUSABLE', { problem, hint: remedy });
  const flag = flagOf[option];
  const stop = option === 'runs' ? ' You can stop the clock with `aorta service clock stop`.' : '';
  return new ProgramError('AORTA-USAGE', {
    problem: `${flag} does not fit the state in ${folder}. ${problem}`,
    hint: `Leave ${flag} out, or give a different --folder for a new state.${stop}`,
  });
}

const isUsual = (controlUrl: string): boolean => new URL(controlUrl).port === String(DEFAULT_CONTROL_PORT);

/** Returns the shell commands that create a team and set its key, and the settings for `aorta.yaml`. */
function instructions({ url, controlUrl }: ServedService, call: Call): string {
  return [
    '# in the shell: creates a team, and prints its key',
    ...(isUsual(controlUrl) ? [] : [`export ${VARIABLE}=${controlUrl}`]),
    commandLine('aorta service team create first', { ...call, place: {} }),
    '',
    '# in aorta.yaml',
    'service:',
    `  base_url: ${url}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration expands the variable
    '  key: "${SERVICE_KEY}"',
    '',
  ].join('\n');
}
