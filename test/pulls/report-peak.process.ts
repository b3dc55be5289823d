import { writeFileSync } from 'node:fs';
import { peakMemory } from '../bench/peak-memory.ts';

/** Preloaded with `node --import`. When the process ends, writes its peak memory, in MB, to the file PEAK_FILE. */
process.on('exit', () => writeFileSync(process.env.PEAK_FILE!, String(peakMemory())));
