import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { Machine } from './machine.ts';

afterEach(() => void vi.useRealTimers());

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
    await until('the first line', () => machine.said('deaf').length, 1);
    // The limit of the wait passes at once.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failure = machine.quit().catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(String(await failure)).toMatch(/waited 60 s for a machine \(all parts\) to stop.*process \d+: state.*"deaf"/s);
  } finally {
    vi.useRealTimers();
    await machine.lose();
    rmSync(folder, { recursive: true, force: true });
  }
});
