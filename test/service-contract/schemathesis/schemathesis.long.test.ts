import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pythonPath } from '../../../infra/setup/python.ts';
import { operationOf } from '../exchange.ts';
import { addExamples, configuration } from './examples.ts';
import { runSchemathesis } from './run.ts';
import { startServiceUnderTest } from './service-under-test.ts';

test('schemathesis finds no answer that the OpenAPI document does not describe', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-schemathesis-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await using started = await startServiceUnderTest();
  const { service, url, key, managementKey, document, examples } = started;
  addExamples(document, examples);
  const path = pythonPath(() => {});
  const settings = configuration(document, examples);
  const run = { folder, url, key, managementKey, document, path };
  const result = await runSchemathesis({ ...run, configuration: settings }).catch((error) => {
    if (error.syscall?.startsWith('spawn')) context.skip('schemathesis is not installed, see infra/setup/requirements.txt');
    throw error;
  });
  expect(result.code, result.output).toBe(0);

  const reached = new Set(
    result.exchanges
      .filter(({ status }) => status >= 200 && status < 300)
      .map(({ method, url: called }) => operationOf(service.operations, method, called)?.id),
  );
  expect(
    service.operations.map(({ id }) => id).filter((id) => !reached.has(id)),
    'operations without a successful answer: add examples to service-under-test.ts',
  ).toEqual([]);
});
