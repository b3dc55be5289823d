import { mkdirSync } from 'node:fs';
import { load, readSetting } from 'aorta/internals';
import { peakMemory } from './peak-memory.ts';

/** Loads files into a new warehouse, and prints times, rows and peak memory: `node load.process.ts FOLDER FILE…`. */
const [folder, ...files] = process.argv.slice(2);
mkdirSync(folder!, { recursive: true });
const setting = readSetting({ warehouse: 'duckdb:health.duckdb' }, {}, folder!);
const begun = performance.now();
const before = process.cpuUsage();
const { report } = await load({ setting, files });
const milliseconds = performance.now() - begun;
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  JSON.stringify({
    milliseconds,
    cpuMilliseconds: (user + system) / 1000,
    rows: report.tables,
    peakMb: peakMemory(),
  }),
);
