import { writeSync } from 'node:fs';
import { load, readSetting } from 'aorta/internals';

/**
 * Loads delivery files in its own process, and kills itself with SIGKILL when it passes STEP for the COUNT-th time: `node
 * life.process.ts FOLDER STEP COUNT FILE…`. If STEP is `never`, the load runs to completion. It writes a byte to file descriptor
 * 3 for every step that it passes.
 */
const [folder, step, count, ...files] = process.argv.slice(2);
const setting = readSetting({ warehouse: 'duckdb:health.duckdb' }, {}, folder!);
let passed = 0;
const { report } = await load({
  setting,
  files,
  onStep: (passing) => {
    if (passing === step && ++passed === Number(count)) process.kill(process.pid, 'SIGKILL');
    writeSync(3, '.');
  },
});
process.stdout.write(JSON.stringify(report));
