import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inTime } from '../../infra/machine/waiting.fixture.ts';
import { aorta } from './command.ts';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-service-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Addresses {
  readonly url: string;
  readonly control_url: string;
}

/** A running service, with its process. */
interface Served extends Addresses {
  readonly child: ChildProcess;
}

const PORTS = ['--port', '0', '--control-port', '0'];
const FLAGS = ['--folder', 'state', '--stopped', '--seed', '1'];

/** Runs `aorta service` until `work` is done, and then stops the process with a signal. Returns its exit code and signal. */
async function served(signal: NodeJS.Signals, work: (served: Served) => Promise<void>, flags: readonly string[] = FLAGS) {
  const words = ['service', ...PORTS, ...flags, '--json'];
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  try {
    const early = exited.then(([code]) => Promise.reject(new Error(`aorta service ended with ${code}`)));
    const line = once(createInterface(child.stdout), 'line') as Promise<[string]>;
    const [addresses] = await inTime('the addresses', Promise.race([line, early]));
    await work({ ...(JSON.parse(addresses) as Addresses), child });
  } finally {
    child.kill(signal);
  }
  return await inTime('the end of aorta service', exited);
}

/** Runs `aorta service`, which must refuse to start. Returns its exit code and its two lines. */
async function refused(...flags: string[]): Promise<{ code: number | null; lines: string[] }> {
  const { code, stdout, stderr } = await inTime('a refusal', aorta(folder, ['service', ...PORTS, ...flags]));
  expect(stdout).toBe('');
  return { code, lines: stderr.trimEnd().split('\n') };
}

const post = async (url: string, body: object, headers: Record<string, string> = {}): Promise<Record<string, string>> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as Record<string, string>;
};

/** Creates a team with a user. */
async function userOf({ url, control_url }: Addresses) {
  const { team_id, api_key } = await post(`${control_url}/teams`, { name: 'first' });
  const headers = { 'x-service-api-key': api_key! };
  const { user_id } = await post(`${url}/v2/user`, { client_user_id: 'c-1' }, headers);
  return { team_id: team_id!, user_id: user_id!, headers };
}

test('the service keeps its users, data and clock after SIGKILL, and a taken port is refused', async () => {
  let user = '';
  let headers = {};
  const sleep = async (url: string): Promise<unknown[]> => {
    const answer = await fetch(`${url}/v2/summary/sleep/${user}?start_date=2020-01-01`, { headers });
    return ((await answer.json()) as { sleep: unknown[] }).sleep;
  };
  let nights: unknown[] = [];
  const killed = await served('SIGKILL', async (service) => {
    const { url, control_url } = service;
    ({ user_id: user, headers } = await userOf(service));
    await post(`${url}/v2/link/connect/demo`, { user_id: user, provider: 'oura' }, headers as Record<string, string>);
    await post(`${control_url}/clock/advance`, { seconds: 86_400 });
    nights = await sleep(url);
    const taken = await aorta(folder, ['service', '--port', new URL(url).port, '--control-port', '0']);
    expect([taken.code, taken.stdout]).toEqual([2, '']);
    expect(taken.stderr).toContain(`port ${new URL(url).port} is in use`);
  });
  expect(killed).toEqual([null, 'SIGKILL']);
  expect(nights.length).toBeGreaterThan(25);
  const ended = await served('SIGTERM', async ({ url }) => expect(await sleep(url)).toEqual(nights));
  expect(ended).toEqual([0, null]);
});

test('a second process cannot use the folder of a running service, and can after SIGKILL', async () => {
  await served('SIGKILL', async ({ child, url }) => {
    expect(await refused(...FLAGS)).toEqual({
      code: 1,
      lines: [
        `aorta: Process ${child.pid} is already running the service with the state in ${join(folder, 'state')}. [AORTA-STATE-LOCKED]`,
        '  Stop that process, or give a different --folder. The other commands of `aorta service` control the service while it runs.',
      ],
    });
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
  });
  expect(await served('SIGTERM', async () => {})).toEqual([0, null]);
  expect(existsSync(join(folder, 'state', 'lock'))).toBe(false);
});

test('SIGTERM ends the service while the clock advances and a receiver does not answer', async () => {
  const asked = Promise.withResolvers<void>();
  // Never answers.
  const receiver = createServer(() => asked.resolve()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    let advancing: Promise<unknown> = Promise.resolve();
    const ended = await served('SIGTERM', async (service) => {
      const { team_id, user_id, headers } = await userOf(service);
      await post(`${service.control_url}/webhooks`, {
        team_id,
        url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      });
      await post(`${service.url}/v2/link/connect/demo`, { user_id, provider: 'oura' }, headers);
      advancing = post(`${service.control_url}/clock/advance`, { seconds: 30 * 86_400 });
      advancing.catch(() => {});
      await inTime('the first webhook', asked.promise);
    });
    expect(ended).toEqual([0, null]);
    await expect(advancing).rejects.toThrow();
    expect(existsSync(join(folder, 'state', 'lock'))).toBe(false);
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
});

test('the same command line starts the service again, and one that contradicts the state is refused', async () => {
  const flags = ['--folder', 'state', '--seed', '7', '--start', '2025-05-08', '--stopped'];
  const clock = async ({ control_url }: Addresses) => (await fetch(`${control_url}/clock`)).json();
  await served(
    'SIGTERM',
    async (service) => {
      expect(await clock(service)).toEqual({ now: '2025-05-08T00:00:00.000+00:00', runs: false });
      await post(`${service.control_url}/clock/advance`, { seconds: 60 });
    },
    flags,
  );
  const kept = { now: '2025-05-08T00:01:00.000+00:00', runs: false };
  await served('SIGTERM', async (service) => expect(await clock(service)).toEqual(kept), flags);
  await served('SIGTERM', async (service) => expect(await clock(service)).toEqual(kept), ['--folder', 'state']);
  const state = join(folder, 'state');
  expect(await refused('--folder', 'state', '--seed', '8')).toEqual({
    code: 2,
    lines: [
      `aorta: --seed does not fit the state in ${state}. The state was created with seed 7, not with seed 8. [AORTA-USAGE]`,
      '  Leave --seed out, or give a different --folder for a new state.',
    ],
  });
  expect(await refused('--folder', 'state', '--start', '2025-05-08T00:00:00-01:00')).toEqual({
    code: 2,
    lines: [
      `aorta: --start does not fit the state in ${state}. The clock of the state started at 2025-05-08T00:00:00.000+00:00, not at 2025-05-08T01:00:00.000+00:00. [AORTA-USAGE]`,
      '  Leave --start out, or give a different --folder for a new state.',
    ],
  });
  await served('SIGTERM', async () => {}, ['--folder', 'running']);
  expect(await refused('--folder', 'running', '--stopped')).toEqual({
    code: 2,
    lines: [
      `aorta: --stopped does not fit the state in ${join(folder, 'running')}. The clock of the state runs. [AORTA-USAGE]`,
      '  Leave --stopped out, or give a different --folder for a new state. You can stop the clock with `aorta service clock stop`.',
    ],
  });
});

test('if the clock runs despite --stopped, because it was let run before, the service says so', async () => {
  await served('SIGTERM', async ({ control_url }) => void (await post(`${control_url}/clock/run`, { runs: true })));
  const child = spawn(process.execPath, [program, 'service', ...PORTS, ...FLAGS], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(child.stderr);
  createInterface(child.stderr).on('line', (line) => {
    if (line.startsWith('The clock')) child.kill();
  });
  expect(await inTime('the end', said)).toMatch(
    /^The clock runs, because it was running before\. Stop it with `aorta service clock stop --control-url http:\S+`\.$/m,
  );
});

test.each(['yesterday', '2025-02-30', '2025-05-08T12:00:00', '10000-01-01', '9999-12-31T23:59:59-01:00', '1969-12-31'])(
  '--start %s is refused',
  async (time) => {
    expect(await refused('--start', time)).toEqual({
      code: 2,
      lines: [
        'aorta: --start needs a date, or a time with an offset, in the years 1970 to 9999. [AORTA-USAGE]',
        '  For example --start 2025-05-08, or --start 2025-05-08T12:00:00+02:00.',
      ],
    });
  },
);

test('connections of 9 May 2025 know neither retrying nor error details, and those of the next day do', async () => {
  for (const [start, expected] of [
    ['2025-05-08', { status: 'failure', error_details: null }],
    ['2025-05-09T23:59:00Z', { status: 'failure', error_details: null }],
    ['2025-05-10', { status: 'retrying', error_details: 'provider_rate_limit_exceeded' }],
  ] as const) {
    await served(
      'SIGTERM',
      async (service) => {
        const { user_id, headers } = await userOf(service);
        const { control_url, url } = service;
        const outcomes = [{ kind: 'rate_limit' }];
        await post(`${control_url}/pulls/script`, { provider: 'strava', resource: 'workouts', outcomes });
        await post(`${control_url}/connections`, { user_id, provider: 'strava' });
        await post(`${control_url}/clock/advance`, { seconds: 60 });
        const answer = await fetch(`${url}/v2/introspect/historical_pull`, { headers });
        const { data } = (await answer.json()) as { data: { provider: Record<string, { pulled: Record<string, object> }> }[] };
        expect(data[0]!.provider.strava!.pulled.workouts).toMatchObject(expected);
      },
      ['--start', start, '--stopped'],
    );
  }
});

test('a closed beta is told as text before November 2025, and as JSON since', async () => {
  const closed = 'This endpoint is in closed beta, and your team is not enabled for it';
  await served(
    'SIGTERM',
    async (service) => {
      const { headers } = await userOf(service);
      const { control_url, url } = service;
      await post(`${control_url}/faults`, { on: 'operation', effect: { kind: 'closed_beta' } });
      const told = async () => {
        const answer = await fetch(`${url}/v2/user`, { headers });
        return [answer.status, answer.headers.get('content-type')?.split(';')[0], await answer.text()];
      };
      expect(await told()).toEqual([403, 'text/plain', closed]);
      await post(`${control_url}/clock/advance`, { seconds: 86_400 });
      expect(await told()).toEqual([403, 'application/json', JSON.stringify({ detail: closed })]);
    },
    ['--start', '2025-10-31', '--stopped'],
  );
});

const unusable = (problem: string, remedy: string) => ({
  code: 1,
  lines: [`aorta: The service cannot use its state: ${problem}. [AORTA-STATE-UNUSABLE]`, `  ${remedy}`],
});

test('the service creates a key file that only its owner can read, and refuses to start without it', async () => {
  const file = join(folder, 'state', 'service.sqlite.key');
  await served('SIGTERM', async () => expect(statSync(file).mode & 0o777).toBe(0o600));
  chmodSync(file, 0o640);
  expect(await refused(...FLAGS)).toEqual(
    unusable(`Other users can read the secret key in ${file}`, `Run \`chmod 600 ${file}\`.`),
  );
  rmSync(file);
  expect(await refused(...FLAGS)).toEqual(
    unusable(
      `The secret key of the state is missing: there is no file ${file}`,
      'Restore the file, or give the key in AORTA_SERVICE_SECRET_KEY. Without the key, delete the state to create a new one.',
    ),
  );
  expect(existsSync(file)).toBe(false);
});

describe('with the key in AORTA_SERVICE_SECRET_KEY', () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  afterEach(() => void vi.unstubAllEnvs());

  test('the service creates no key file, and starts only with the same key', async () => {
    vi.stubEnv('AORTA_SERVICE_SECRET_KEY', key(1));
    await served('SIGTERM', async () => expect(existsSync(join(folder, 'state', 'service.sqlite.key'))).toBe(false));
    expect(await served('SIGTERM', async () => {})).toEqual([0, null]);
    vi.stubEnv('AORTA_SERVICE_SECRET_KEY', key(2));
    expect(await refused(...FLAGS)).toEqual(
      unusable(
        'The secret key is not the one with which the state was encrypted',
        'Give the key of this state, or delete the state to create a new one.',
      ),
    );
  });

  test('a malformed key is refused, and the error does not repeat it', async () => {
    vi.stubEnv('AORTA_SERVICE_SECRET_KEY', 'planted');
    for (const flags of [FLAGS, []])
      expect(await refused(...flags)).toEqual(
        unusable(
          'AORTA_SERVICE_SECRET_KEY does not hold a key of 32 bytes in base64',
          '`openssl rand -base64 32` prints such a key.',
        ),
      );
  });
});

test('--rate-limit limits the requests of each key in a minute', async () => {
  const work = async ({ control_url }: Served) =>
    expect(await (await fetch(`${control_url}/limits`)).json()).toEqual({ requests: 3, seconds: 60 });
  await served('SIGTERM', work, ['--rate-limit', '3']);
  expect(await refused('--rate-limit', '0')).toEqual({
    code: 2,
    lines: ['aorta: --rate-limit needs a whole number. [AORTA-USAGE]', '  Give 1 or more.'],
  });
});

/** Returns the status of a request with this Host. */
async function statusWith(host: string, url: string): Promise<number> {
  const [answer] = (await once(get(url, { headers: { host } }), 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode!;
}

test('both ports accept only names of this machine and allowed ones, and webhooks may only go to allowed addresses', async () => {
  const hook = { url: 'http://169.254.169.254/latest' };
  await served('SIGTERM', async ({ url, control_url }) => {
    for (const one of [`${url}/docs`, `${control_url}/teams`]) {
      expect(await statusWith('localhost', one)).toBeLessThan(400);
      expect(await statusWith('one.internal', one)).toBe(403);
    }
    await post(`${control_url}/teams`, { name: 'first' });
    const { code, stderr } = await aorta(folder, ['service', 'webhook', 'add', hook.url, '--control-url', control_url]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('url: a link-local address, which needs a service with --allow-link-local.'),
    ]);
    expect(await (await fetch(`${control_url}/webhooks`)).json()).toEqual({ webhooks: [] });
  });
  const allow = ['--allowed-hosts', 'one.internal', '--allowed-hosts', '10.0.0.7', '--allow-link-local'];
  await served(
    'SIGTERM',
    async ({ url, control_url }) => {
      for (const one of [`${url}/docs`, `${control_url}/teams`]) {
        for (const host of ['localhost', 'one.internal:8090', '10.0.0.7']) expect(await statusWith(host, one)).toBeLessThan(400);
        expect(await statusWith('two.internal', one)).toBe(403);
      }
      const { team_id } = await post(`${control_url}/teams`, { name: 'first' });
      expect(await post(`${control_url}/webhooks`, { team_id, ...hook, disabled: true })).toMatchObject(hook);
    },
    allow,
  );
  for (const name of ['http://one.internal', 'one.internal:8090', '*', ''])
    expect(await refused('--allowed-hosts', name)).toEqual({
      code: 2,
      lines: [
        'aorta: --allowed-hosts needs a host name or an IP address, without a port. [AORTA-USAGE]',
        '  Write --allowed-hosts host.docker.internal, and repeat the option for further names.',
      ],
    });
});

test('a folder that cannot hold a state is refused at once', async () => {
  writeFileSync(join(folder, 'file'), 'x');
  mkdirSync(join(folder, 'locked'));
  chmodSync(join(folder, 'locked'), 0o555);
  const remedy =
    '  Free space, correct the path, or give this user the permission to write there. Then start again. Data that was reported as loaded is safe.';
  for (const [path, shown, code] of [
    ['/proc/x', '/proc/x', 'EPERM: the system does not permit it'],
    ['file', join(folder, 'file'), 'ENOTDIR: a part of the path is not a folder'],
    ['file/x', join(folder, 'file/x'), 'ENOTDIR: a part of the path is not a folder'],
  ] as const)
    expect(await refused('--folder', path)).toEqual({
      code: 1,
      lines: [`aorta: ${shown} cannot be written (${code}). [AORTA-DATA-UNWRITABLE]`, remedy],
    });
  // If the tests run as root, the command runs without the capabilities that bypass file permissions.
  const obeying = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];
  const [command = '', ...words] = [...obeying, process.execPath, program, 'service', ...PORTS, '--folder', 'locked'];
  const child = spawn(command, words, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  const [said, [code]] = await inTime('a refusal', Promise.all([text(child.stderr), once(child, 'exit')]));
  expect([code, said]).toEqual([
    1,
    `aorta: ${join(folder, 'locked', 'lock')} cannot be written (EACCES: permission denied). [AORTA-DATA-UNWRITABLE]\n${remedy}\n`,
  ]);
});

test('a file that is not a state is refused, and stays as it is', async () => {
  const file = join(folder, 'state', 'service.sqlite');
  mkdirSync(join(folder, 'state'));
  writeFileSync(file, 'my notes');
  expect(await refused(...FLAGS)).toEqual({
    code: 1,
    lines: [
      `aorta: The service cannot use its state: ${file} is not a SQLite database. [AORTA-STATE-UNUSABLE]`,
      '  Move it away to start with a new state, or use a different folder.',
    ],
  });
  expect(readFileSync(file, 'utf8')).toBe('my notes');
});
