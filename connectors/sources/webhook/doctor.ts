import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import { silentLogger } from '@aorta/runtime';
import { type Finding, failure } from '../../finding.ts';
import { openKafka } from '../../kafka-client/index.ts';
import type { ProbeSurroundings } from '../../source.ts';
import { connectionOf } from '../kafka/connection.ts';
import { probe as kafkaProbe } from '../kafka/module.ts';
import { addressOf, type WebhookSettings } from './options.ts';
import { kafkaSettingsOf } from './topic-settings.ts';

/** Checks for every endpoint that its address is free or served, that its certificate can be read, and that its topic can be used. */
export async function probe(sources: readonly WebhookSettings[], surroundings: ProbeSurroundings): Promise<readonly Finding[]> {
  const findings = sources.map(async (source) => [await findingOf(source), ...(await topicFindings(source, surroundings))]);
  return (await Promise.all(findings)).flat();
}

/** Returns the findings about the intake topic. There are none if the intake log is a folder. */
async function topicFindings(source: WebhookSettings, surroundings: ProbeSurroundings): Promise<readonly Finding[]> {
  if (source.intake === undefined) return [];
  const { topic } = source.intake;
  const { patience } = surroundings;
  const settings = {
    ...kafkaSettingsOf(source, source.intake),
    connect_s: patience.connectMs / 1000,
    request_s: patience.requestMs / 1000,
  };
  try {
    await using client = openKafka(await connectionOf(settings), { logger: silentLogger });
    if ((await client.admin.partitions(topic)) === undefined) {
      return [{ check: `topic ${topic}`, state: 'ok', found: 'does not exist yet; `aorta run` creates it' }];
    }
  } catch (error) {
    return [failure(`topic ${topic}`, error)];
  }
  return kafkaProbe([settings], surroundings);
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
