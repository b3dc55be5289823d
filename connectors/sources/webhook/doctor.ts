import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Finding } from '../../finding.ts';
import { addressOf, type WebhookSettings } from './options.ts';

/** Checks for every endpoint that its address is free or served, and that its certificate can be read. */
export async function probe(sources: readonly WebhookSettings[]): Promise<readonly Finding[]> {
  return Promise.all(sources.map(findingOf));
}

async function findingOf({ name, listen, path, secrets, tls }: WebhookSettings): Promise<Finding> {
  const check = `webhook ${name}`;
  const unreadable = await unreadableOf(tls === undefined ? [] : [tls.cert_file, tls.key_file]);
  if (unreadable.length > 0) {
    const remedy = 'Check the paths in `tls`, and the permissions of the files.';
    return { check, state: 'fail', found: `cannot be read: ${unreadable.join(', ')}`, remedy };
  }
  const code = await listenCode(listen);
  const keys = secrets.length === 1 ? 'one secret' : `${secrets.length} secrets`;
  if (code === undefined) return { check, state: 'ok', found: `${listen} is free, path ${path}, ${keys}` };
  if (code === 'EADDRINUSE') {
    return {
      check,
      state: 'warn',
      found: `${listen} is in use`,
      remedy:
        'This is normal while `aorta run` serves the endpoint. Otherwise stop the other process, or set a different `listen`.',
    };
  }
  return { check, state: 'fail', found: `${listen} cannot be used (${code})`, remedy: 'Correct `listen` of the source.' };
}

async function unreadableOf(files: readonly string[]): Promise<string[]> {
  const checked = await Promise.all(
    files.map((file) =>
      access(file, constants.R_OK).then(
        () => [],
        () => [file],
      ),
    ),
  );
  return checked.flat();
}

/** Listens at the address for a moment. Returns the code of the failure. */
async function listenCode(listen: string): Promise<string | undefined> {
  const { host, port } = addressOf(listen)!;
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
