import type { AddressInfo } from 'node:net';
import { Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import Fastify from 'fastify';
import { LocalIntake } from '../../connectors/webhook/intake/local-intake.ts';
import { WebhookSource } from '../../connectors/webhook/module.ts';
import { webhookSourceOptions } from '../../connectors/webhook/options.ts';
import { isSignedBy, keyOf, signedHeaders } from '../../connectors/webhook/signature.ts';
import { until } from '../../infra/machine/waiting.fixture.ts';

/**
 * Receives webhooks until it is killed, and prints its port: `node receiving.process.ts bare SECRET` verifies and discards them with
 * Fastify. `node receiving.process.ts durable SECRET FOLDER` stores them with the webhook source, and reads and commits them.
 */
const [mode, secret, folder] = process.argv.slice(2);

async function bare(): Promise<number> {
  const app = Fastify({ logger: false });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  const keys = [keyOf(secret!)];
  app.post('/webhook', async (request, reply) => {
    const signed = signedHeaders(request.headers);
    const isGenuine = signed !== undefined && isSignedBy(keys, signed, request.body as Buffer);
    return reply.code(isGenuine ? 204 : 401).send();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

async function durable(): Promise<number> {
  const settings = webhookSourceOptions.parse({ type: 'webhook', listen: '127.0.0.1:0', secrets: [secret], tolerance_s: 3600 });
  const progress = new Progress();
  const intake = await LocalIntake.open({
    source: settings.name,
    folder: folder!,
    window: 20_000,
    keepMs: 3_600_000,
    once: false,
    logger: silentLogger,
    progress,
    onProblem: (error) => {
      throw error;
    },
  });
  const source = new WebhookSource({ settings, intake, once: false, logger: silentLogger, metrics: silentMetrics, progress });
  // An error of the source ends the process.
  void (async () => {
    for await (const { position } of source.batches(new AbortController().signal)) await source.commit([position]);
  })();
  return (await until('the port of the source', () => source.port))!;
}

process.stdout.write(`${await (mode === 'bare' ? bare() : durable())}\n`);
