import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isError } from './errors.ts';
import { prints } from './expectation.ts';
import { commandsOf, runInBackground, toRun } from './shell.ts';

test('prints() treats an ellipsis as any text, and an ellipsis alone on a line as any number of lines', () => {
  expect(prints('a\nb\n', 'a  \nb\n\n')).toBe(true);
  expect(prints('in … s: 3', 'in 1.5 s: 3')).toBe(true);
  expect(prints('in … s: 3', 'in 1.5 s: 4')).toBe(false);
  expect(prints('a\n…\nd', 'a\nb\nc\nd')).toBe(true);
  expect(prints('a\n…', 'a\nb')).toBe(true);
  expect(prints('a\n…\nd', 'a\nb\nc')).toBe(false);
  expect(prints('a', 'a\nb')).toBe(false);
});

test('commandsOf() splits a block into commands, including continuation lines and here-documents', () => {
  expect(commandsOf("a\nb \\\n  c\ncat <<'END'\nx\ny\nEND\n# why\nd\n")).toEqual([
    'a',
    'b \\\n  c',
    "cat <<'END'\nx\ny\nEND",
    'd',
  ]);
});

test('toRun() throws if a document shows an unknown program, script or part of the campaign', () => {
  expect(() => toRun('wget https://example.org')).toThrow('a document may not run: wget');
  expect(() => toRun('npm run nonsense')).toThrow();
  expect(() => toRun('npm run test:campaign -- kafka nonsense')).toThrow('the campaign has no part nonsense');
  expect(toRun('npm run test:campaign -- kafka')).toBe(undefined);
  expect(toRun('npm test')).toBe(undefined);
  expect(toRun('npm start')).toBe('npm_command=start aorta demo');
});

test('toRun() lets curl call only this machine', () => {
  expect(toRun('curl -s http://127.0.0.1:8090/v3/orders')).toBe('curl -s http://127.0.0.1:8090/v3/orders');
  for (const wrong of ['https://example.org', 'example.org', 'http://127.0.0.1:8090/ https://example.org'])
    expect(() => toRun(`curl ${wrong}`), wrong).toThrow('a document may call only http://127.0.0.1:');
});

test('isError() accepts only errors from the catalogue', () => {
  expect(isError('aorta: The file or folder … does not exist. [AORTA-FILE-NOT-FOUND]\n  Check the path.\n')).toBe(true);
  expect(isError('aorta: There is no such file. [AORTA-FILE-NOT-FOUND]\n  Check the path.\n')).toBe(false);
  expect(isError('aorta: The file or folder … does not exist. [AORTA-NONSENSE]\n  Check the path.\n')).toBe(false);
});

test('a command in the background that ends before it prints its text fails, and one that prints it runs until it is stopped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-background-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  onTestFinished(() => rmSync(`${folder}.bin`, { recursive: true, force: true }));
  const place = { folder, environment: {} };
  const ended = runInBackground('echo a', place);
  await expect(ended.printed((output) => output === 'b\n')).rejects.toThrow('it ended. Its output:\na\n');
  await ended.stop();
  const running = runInBackground('echo $$; touch a; tail -f a', place);
  let pid = 0;
  await running.printed((output) => {
    pid = Number(output);
    return output.endsWith('\n');
  });
  expect(() => process.kill(pid, 0)).not.toThrow();
  await running.stop();
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
