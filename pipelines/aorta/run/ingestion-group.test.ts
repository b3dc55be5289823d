import { adapterOf, builtIn } from '@aorta/connectors/registry';
import { type LogFields, silentLogger } from '@aorta/runtime';
import { expect, test } from 'vitest';
import { joinIngestion } from './ingestion-group.ts';

test('if a worker cannot join the group, it logs the error and continues', async () => {
  const logged = Promise.withResolvers<readonly [string, LogFields | undefined]>();
  const logger = { ...silentLogger, warn: (...said: [string, LogFields?]) => logged.resolve([said[0], said[1]]) };
  const adapter = adapterOf(builtIn.streamLogs, { type: 'kafka' });
  const settings = adapter.options.parse({ type: 'kafka', brokers: ['127.0.0.1:1'], tls: { ca_file: '/nowhere/ca.pem' } });
  const leave = joinIngestion(await adapter.load(), { settings, folder: '/nowhere', clientId: 'a worker' }, logger);
  expect(await logged.promise).toEqual([
    'other machines do not see this worker in aorta status',
    expect.objectContaining({ code: 'AORTA-FILE-UNREADABLE' }),
  ]);
  await leave();
});
