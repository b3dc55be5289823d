import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KafkaCluster, whyNoJvmBroker } from '@aorta/kafka-broker';
import { isAortaError } from '@aorta/runtime';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import type { KafkaClient } from './client.ts';
import { clientOf, fresh, read } from './kafka.fixture.ts';
import { loginOption, securityOf, tlsOption } from './security.ts';
import { CLIENT, type TokenEndpoint, tokenEndpoint } from './token-endpoint.fixture.ts';

const problem = await whyNoJvmBroker();
const options = z.object({ tls: tlsOption, login: loginOption('plain') });
const PASSPHRASE = 'Zq81 phrase';

describe.skipIf(problem !== undefined)(
  `logging in to a real broker that requires a client certificate ${problem?.message ?? ''}`,
  () => {
    let endpoint: TokenEndpoint;
    let cluster: KafkaCluster;
    let folder: string;
    const clients: KafkaClient[] = [];

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'aorta-access-'));
      endpoint = await tokenEndpoint();
      const { keys, issuer } = endpoint;
      cluster = await KafkaCluster.start({
        nodes: 1,
        users: { etl: 'secret' },
        tokens: { keys, issuer, audience: 'kafka' },
        properties: {
          'listener.name.sasl_ssl.ssl.client.auth': 'required',
          'connections.max.reauth.ms': '3600000',
        },
      });
      const own = cluster.authority.sign({ name: 'etl' });
      writeFileSync(join(folder, 'authority.pem'), cluster.authority.chain);
      writeFileSync(join(folder, 'client.pem'), own.chain);
      writeFileSync(join(folder, 'client.key'), own.encryptedKey(PASSPHRASE));
    });
    afterEach(async () => {
      Object.assign(endpoint, { lifeS: 3600, audience: 'kafka', refusal: undefined });
      endpoint.asked.length = 0;
      await Promise.all(clients.splice(0).map((client) => client.close()));
    });
    afterAll(async () => {
      await cluster?.stop();
      await endpoint?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const files = (more: object = { key_passphrase: PASSPHRASE }) => ({
      ca_file: join(folder, 'authority.pem'),
      cert_file: join(folder, 'client.pem'),
      key_file: join(folder, 'client.key'),
      ...more,
    });
    const password = { mechanism: 'plain', user: 'etl', password: 'secret' };
    const tokens = (more: object = {}) => ({
      mechanism: 'oauthbearer',
      token_url: endpoint.url,
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      ...more,
    });

    function clientWith(login: object, tls: object = files()): KafkaClient {
      const client = clientOf(cluster.secureBrokers, securityOf(options.parse({ tls, login })));
      clients.push(client);
      return client;
    }
    /** Lists the topics and returns the error that a user would see. */
    async function failureOf(login: object, tls?: object): Promise<string> {
      const ask = async (): Promise<unknown> => clientWith(login, tls).admin.topics();
      const error: unknown = await ask().catch((thrown: unknown) => thrown);
      if (!isAortaError(error)) throw error;
      expect(JSON.stringify([error.message, error.details, String(error)])).not.toMatch(/Zq81|eyJ/);
      return `${error.code}: ${error.message}`;
    }

    test('an encrypted key is accepted only with the correct passphrase', async () => {
      expect(await clientWith(password).admin.topics()).toEqual(expect.any(Array));
      expect(await failureOf(password, files({ key_passphrase: 'other' }))).toMatch(/^AORTA-KAFKA-TLS: .*BAD_DECRYPT/);
      expect(await failureOf(password, files({}))).toMatch(/^AORTA-KAFKA-TLS: .*has a passphrase, which is not configured/);
      const none = await failureOf(password, { ca_file: join(folder, 'authority.pem') });
      expect(none).toMatch(/^AORTA-KAFKA-(TLS|UNREACHABLE)/);
    });

    test('certificates can be configured as text instead of files', async () => {
      const { chain, key } = cluster.authority.sign({ name: 'etl' });
      const text = { ca: cluster.authority.chain, cert: chain, key };
      expect(await clientWith(password, text).admin.topics()).toEqual(expect.any(Array));
    });

    test('all connections of a client use the same token', async () => {
      const client = clientWith(tokens({ scope: 'kafka.read kafka.write', audience: 'kafka' }));
      const topic = fresh('tokens');
      await client.admin.create({ topic, partitions: 2 });
      const producer = await client.producer({});
      await producer.produce({ topic, partition: 0 }, [{ key: null, value: Buffer.from('x') }]);
      const reading = await read(client, { group: fresh('g'), topics: [topic] });
      await until('the record', () => reading.values(0).length, 1);
      await reading.consumer.stop();
      await producer.close();
      expect(endpoint.asked.map((body) => Object.fromEntries(body))).toEqual([
        { grant_type: 'client_credentials', scope: 'kafka.read kafka.write', audience: 'kafka' },
      ]);
    });

    test('a client renews expired tokens without losing or repeating a record', async () => {
      endpoint.lifeS = 24;
      const client = clientWith(tokens());
      const topic = fresh('expiring');
      await client.admin.create({ topic, partitions: 1 });
      const reading = await read(client, { group: fresh('g'), topics: [topic] });
      const producer = await client.producer({});
      const written: string[] = [];
      // The writes take about 45 s, so the first token expires twice.
      for (let at = 0; at < 450; at += 1) {
        await sleep(100);
        written.push(`${written.length}`);
        await producer.produce({ topic, partition: 0 }, [{ key: null, value: Buffer.from(written.at(-1)!) }]);
      }
      await until(
        'the last record',
        () => reading.values(0).length,
        (count) => count >= written.length,
      );
      expect(reading.values(0)).toEqual(written);
      expect(endpoint.asked.length).toBeGreaterThanOrEqual(3);
      expect(reading.failures).toEqual([]);
      await reading.consumer.stop();
      await producer.close();
    });

    test('the error says whether the token endpoint or the brokers refused the login', async () => {
      expect(await failureOf(tokens({ client_secret: 'Zq81 other' }))).toMatch(
        /^AORTA-KAFKA-TOKEN-REFUSED: The token endpoint 127\.0\.0\.1:\d+ issued no token .*\(401, invalid_client\)/,
      );
      endpoint.refusal = { status: 200, body: '{"access_token": ""}' };
      expect(await failureOf(tokens())).toMatch(/^AORTA-KAFKA-TOKEN-REFUSED: .*\(its answer contains no token\)/);
      endpoint.refusal = undefined;
      endpoint.audience = 'another';
      expect(await failureOf(tokens())).toMatch(/^AORTA-KAFKA-LOGIN/);
    });

    test('a failed token request is retried, and the final error names the token endpoint', async () => {
      endpoint.refusal = { status: 503, body: '' };
      expect(await failureOf(tokens())).toMatch(/^AORTA-KAFKA-TOKEN-FAILED: .*\(status 503\)/);
      const before = endpoint.refused;
      const asking = clientWith(tokens()).admin.topics();
      await until(
        'a refused request',
        () => endpoint.refused,
        (count) => count > before,
      );
      endpoint.refusal = undefined;
      expect(await asking).toEqual(expect.any(Array));
    });
  },
);
