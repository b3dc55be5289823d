import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Sleeps and makes a small durable write in a loop. Tells its parent process about each round that takes too long. */

const EVERY_MS = 100;
/** Rounds that take longer than this many milliseconds are reported. */
const LONG_MS = 500;

const now = (): number => performance.timeOrigin + performance.now();

const folder = mkdtempSync(join(tmpdir(), 'aorta-bystander-'));
const file = openSync(join(folder, 'beats'), 'w');
const block = Buffer.alloc(4096);
process.on('disconnect', () => {
  closeSync(file);
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});

process.send!('there');
for (let from = now(); ; from = now()) {
  await sleep(EVERY_MS);
  writeSync(file, block, 0, block.length, 0);
  fsyncSync(file);
  const to = now();
  if (to - from > LONG_MS) process.send!({ from, to });
}
