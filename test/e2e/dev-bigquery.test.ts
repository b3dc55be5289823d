import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { controlClient, whyNoBigQuery } from '@aorta/bigquery-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aorta } from './command.ts';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
const problem = await whyNoBigQuery({ own: true });
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-dev-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `aorta dev` until `work` is done, and then stops the process with a signal. Returns the exit code. */
async function served(
  words: readonly string[],
  signal: 'SIGINT' | 'SIGTERM',
  work: (lines: AsyncIterator<string>) => Promise<void>,
) {
  const command = [program, 'dev', 'bigquery', '--port', '0', ...words];
  const child = spawn(process.execPath, command, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  try {
    await work(createInterface(child.stdout)[Symbol.asyncIterator]());
  } finally {
    child.kill(signal);
  }
  const [code] = await exited;
  return code as number;
}

describe.skipIf(problem !== undefined)(`aorta dev bigquery${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  test("aorta dev bigquery serves a project, injects faults on request, and exits with the signal's exit code", async () => {
    const code = await served(['--project', 'my-project', '--json'], 'SIGINT', async (lines) => {
      const facts = JSON.parse((await lines.next()).value);
      expect(facts).toEqual({
        port: expect.any(Number),
        control_port: expect.any(Number),
        api_endpoint: `http://127.0.0.1:${facts.port}`,
        project: 'my-project',
      });
      const datasets = (): Promise<Response> => fetch(`${facts.api_endpoint}/bigquery/v2/projects/my-project/datasets`);
      expect((await datasets()).status).toBe(200);
      await controlClient(facts.control_port).inject({
        on: 'datasets-list',
        fault: { kind: 'status', status: 503, reason: 'backendError' },
      });
      expect((await datasets()).status).toBe(503);
      const taken = await aorta(folder, ['dev', 'bigquery', '--port', String(facts.port)]);
      expect([taken.code, taken.stdout]).toEqual([2, '']);
      expect(taken.stderr).toContain(`port ${facts.port} is in use`);
    });
    expect(code).toBe(130);
  });

  test('aorta dev bigquery prints the warehouse settings for aorta.yaml', async () => {
    const code = await served([], 'SIGTERM', async (lines) => {
      const printed: string[] = [];
      while (printed.length < 6) printed.push((await lines.next()).value as string);
      expect(printed).toEqual([
        '# in aorta.yaml',
        'warehouse:',
        '  type: bigquery',
        '  project: test',
        '  dataset: health',
        expect.stringMatching(/^ {2}api_endpoint: http:\/\/127\.0\.0\.1:\d+$/),
      ]);
    });
    expect(code).toBe(0);
  });

  test('aorta dev bigquery names a required program that is missing', async () => {
    const { PATH: before } = process.env;
    process.env.PATH = '/nowhere';
    try {
      const { code, stdout, stderr } = await aorta(folder, ['dev', 'bigquery', '--port', '0']);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/needs python3 .*, which was not found\. \[AORTA-BIGQUERY-LOCAL\]\n {2}Install it/);
    } finally {
      process.env.PATH = before;
    }
  });
});
