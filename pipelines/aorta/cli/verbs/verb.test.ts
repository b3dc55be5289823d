import { expect, test } from 'vitest';
import { repositoryOnly } from './verb.ts';

const notFound = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /x/y.js`), { code: 'ERR_MODULE_NOT_FOUND' });

test('importing a missing package that only the repository contains rejects with AORTA-SERVERS-ABSENT', async () => {
  const loading = repositoryOnly('aorta dev kafka', () => Promise.reject(notFound('@aorta/kafka-broker')));
  await expect(loading).rejects.toMatchObject({ code: 'AORTA-SERVERS-ABSENT', details: { command: 'aorta dev kafka' } });
});

test('any other import failure is rethrown unchanged', async () => {
  const failure = notFound('rhea');
  await expect(repositoryOnly('aorta demo', () => Promise.reject(failure))).rejects.toBe(failure);
});

test('importing an installed package returns the package', async () => {
  expect(await repositoryOnly('aorta demo', async () => 'people')).toBe('people');
});
