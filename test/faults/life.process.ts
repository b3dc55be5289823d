import { writeSync } from 'node:fs';
import { load, readSetting } from 'aorta/internals';

/**
 * One life of the product in a process of its own: loads delivery files, and ends itself without any notice at the
 * `count`-th time that it passes a step. `node life.process.ts FOLDER STEP COUNT FILE…`; the step `never` lets it live.
 * It writes a byte to file descriptor 3 for every step that it passes, whichever it is.
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
