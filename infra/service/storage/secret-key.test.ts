import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Service, type ServiceOptions } from '../service.ts';
import { StateError } from './database.ts';

let folder: string;
let path: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-secret-'));
  path = join(folder, 'service.sqlite');
  file = `${path}.key`;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');

/** Opens the service, lets it work, and closes it. */
async function opened<Result>(work: (service: Service) => Result | Promise<Result>, options: ServiceOptions = {}) {
  const service = new Service({ path, runs: false, ...options });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** Returns the names and bytes of all files of the state. */
const files = () => readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('hex')]);

/** Returns the error of opening the state, which must be a StateError and leave all files as they are. */
function refusal(options: ServiceOptions = {}): StateError {
  const before = files();
  try {
    new Service({ path, ...options });
  } catch (error) {
    expect(files()).toEqual(before);
    if (error instanceof StateError) return error;
    throw error;
  }
  throw new Error('the state was opened');
}

test('a new state gets a random key of 32 bytes in a file that only its owner can read, and keeps it', async () => {
  await opened(() => {});
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
  await opened(() => {});
  expect(readFileSync(file, 'utf8')).toBe(text);
  const other = join(folder, 'other.sqlite');
  await opened(() => {}, { path: other });
  expect(readFileSync(`${other}.key`, 'utf8')).not.toBe(text);
});

test.each([0o640, 0o604, 0o620])('a key file with the permissions %o is refused', async (mode) => {
  await opened(() => {});
  chmodSync(file, mode);
  expect(refusal()).toMatchObject({
    message: `Other users can read the secret key in ${file}.`,
    remedy: `Run \`chmod 600 ${file}\`.`,
  });
});

test('without its key file, a state is refused, and no new key is created', async () => {
  await opened(() => {});
  rmSync(file);
  expect(refusal()).toMatchObject({
    message: `The secret key of the state is missing: there is no file ${file}.`,
    remedy: expect.stringContaining('AORTA_SERVICE_SECRET_KEY'),
  });
  expect(existsSync(file)).toBe(false);
});

test.each(['', 'planted', Buffer.alloc(31, 7).toString('base64'), Buffer.alloc(33, 7).toString('base64')])(
  'a key that does not have 32 bytes is refused, and not repeated: %j',
  async (text) => {
    await opened(() => {});
    writeFileSync(file, text);
    const refused = [refusal(), refusal({ secretKey: text })];
    expect(refused.map(({ message }) => message)).toEqual([
      `${file} does not hold a key of 32 bytes in base64.`,
      'AORTA_SERVICE_SECRET_KEY does not hold a key of 32 bytes in base64.',
    ]);
    for (const { message, remedy } of refused) {
      expect(remedy).toBe('`openssl rand -base64 32` prints such a key.');
      if (text !== '') expect(message + remedy).not.toContain(text);
    }
  },
);

test('a state that was created with a given key has no key file, and no other key opens it', async () => {
  await opened(() => {}, { secretKey: keyOf(1) });
  expect(existsSync(file)).toBe(false);
  const { message, remedy } = refusal({ secretKey: keyOf(2) });
  expect(message).toBe('The secret key is not the one with which the state was encrypted.');
  expect(message + remedy).not.toContain(keyOf(2));
  writeFileSync(file, `${keyOf(2)}\n`, { mode: 0o600 });
  expect(refusal().message).toBe(message);
  writeFileSync(file, ` ${keyOf(1)}\n`);
  await opened(() => {});
  await opened(() => {}, { secretKey: keyOf(1) });
});

test('a snapshot of another key is refused, and the state stays as it is', async () => {
  const snapshots = join(folder, 'snapshots');
  await opened((service) => service.snapshots.save('foreign'), { secretKey: keyOf(1), snapshots });
  await opened(
    async (service) => {
      const { team_id, api_key } = service.teams.create('kept');
      const refused = service.snapshots.restore('foreign');
      await expect(refused).rejects.toThrow(StateError);
      await expect(refused).rejects.toThrow('The secret key is not the one');
      expect(service.teams.ofKey(api_key)?.team_id).toBe(team_id);
      await service.snapshots.save('own');
      expect(await service.snapshots.restore('own')).toBe(true);
    },
    { path: join(folder, 'other.sqlite'), secretKey: keyOf(2), snapshots },
  );
});
