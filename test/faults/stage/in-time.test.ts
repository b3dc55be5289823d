import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inTime, untilSo } from './in-time.ts';
import { Machine } from './machine.ts';

const never = new Promise<void>(() => {});

test('a wait that takes too long fails with what it waited for and what it saw', async () => {
  const seen = async () => 'two of three';
  await expect(inTime('the brokers', never, { milliseconds: 10, seen })).rejects.toThrow(
    'waited 0.01 s for the brokers; seen instead: two of three',
  );
  await expect(untilSo('rain', () => false, { milliseconds: 10 })).rejects.toThrow('waited 0.01 s for rain');
});

test('a wait returns the result of the work, or its error', async () => {
  expect(await inTime('an answer', Promise.resolve(42))).toBe(42);
  await expect(inTime('an answer', Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});

test('the error for a machine that does not stop names its processes and quotes its log', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-deaf-'));
  const machine = new (class extends Machine {
    override start(): void {
      // This program ignores SIGTERM, and its event loop is blocked.
      const script = `process.on('SIGTERM', () => {}); process.stderr.write('{"msg":"deaf"}\\n', () => { for (;;); })`;
      this.run('-e', [script]);
    }
  })(folder);
  try {
    machine.start();
    await untilSo('the first line', () => machine.said('deaf').length === 1);
    await expect(machine.quit(500)).rejects.toThrow(
      /waited 0.5 s for a machine \(all parts\) to stop.*process \d+: state.*"deaf"/s,
    );
  } finally {
    await machine.lose();
    rmSync(folder, { recursive: true, force: true });
  }
});
