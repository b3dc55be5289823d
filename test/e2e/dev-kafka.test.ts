import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createTopic, whyNoJvmBroker } from '@aorta/kafka-broker';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aorta } from './command.ts';

const program = join(import.meta.dirname, '..', '..', 'pipelines', 'aorta', 'bin', 'aorta.js');
const problem = await whyNoJvmBroker();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-dev-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Facts {
  readonly port: number;
  readonly brokers: readonly string[];
  readonly topics: readonly object[];
}

/** Runs `aorta dev` until `work` is done, and then stops the process with a signal. Returns the exit code. */
async function served(
  words: readonly string[],
  signal: 'SIGINT' | 'SIGTERM',
  work: (lines: AsyncIterator<string>) => Promise<void>,
) {
  const command = [program, 'dev', 'kafka', '--port', '0', ...words];
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

const factsIn = async (lines: AsyncIterator<string>): Promise<Facts> => JSON.parse((await lines.next()).value) as Facts;

describe.skipIf(problem !== undefined)(`aorta dev kafka${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  test("aorta dev kafka serves the requested topics, keeps them in its folder, and exits with the signal's exit code", async () => {
    const words = ['--folder', 'kafka', '--json'];
    const first = await served([...words, '--topic', 'daily:3', '--topic', 'rest:1'], 'SIGINT', async (lines) => {
      const facts = await factsIn(lines);
      expect(facts.topics).toEqual([
        { name: 'daily', partitions: 3 },
        { name: 'rest', partitions: 1 },
      ]);
      expect(facts.brokers).toEqual([`127.0.0.1:${facts.port}`]);
      expect(await createTopic(facts.brokers[0]!, { name: 'rest', partitions: 1 })).toBe(false);
      const taken = await aorta(folder, ['dev', 'kafka', '--port', String(facts.port)]);
      expect([taken.code, taken.stdout]).toEqual([2, '']);
      expect(taken.stderr).toContain(`port ${facts.port} is in use`);
    });
    expect(first).toBe(130);
    const second = await served(words, 'SIGTERM', async (lines) => {
      const { brokers } = await factsIn(lines);
      // `createTopic` returns false for an existing topic, and true for a new one.
      const made = ['daily', 'rest', 'health-events', 'other'].map((name) => createTopic(brokers[0]!, { name, partitions: 1 }));
      expect(await Promise.all(made)).toEqual([false, false, false, true]);
    });
    expect(second).toBe(0);
  });

  test('aorta dev kafka prints the source settings for aorta.yaml', async () => {
    await served([], 'SIGTERM', async (lines) => {
      const printed: string[] = [];
      while (printed.length < 5) printed.push((await lines.next()).value as string);
      expect(printed).toEqual([
        '# in aorta.yaml',
        'sources:',
        '  - type: kafka',
        expect.stringMatching(/^ {4}brokers: \['127\.0\.0\.1:\d+'\]$/),
        '    topics: [health-events]',
      ]);
    });
  });

  test('aorta dev kafka reports that Java is missing', async () => {
    const { JAVA_HOME: before } = process.env;
    process.env.JAVA_HOME = '/nowhere';
    try {
      const { code, stdout, stderr } = await aorta(folder, ['dev', 'kafka']);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/Java was not found\. \[AORTA-KAFKA-LOCAL\]\n {2}Install Java 17 or newer/);
    } finally {
      if (before === undefined) delete process.env.JAVA_HOME;
      else process.env.JAVA_HOME = before;
    }
  });
});
