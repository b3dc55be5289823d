import { writeFileSync } from 'node:fs';
import { peakMemory } from '../bench/peak-memory.ts';

/** Preloaded with `node --import`: writes the peak memory of the process, in MB, to the file PEAK_FILE when it ends. */
process.on('exit', () => writeFileSync(process.env.PEAK_FILE!, String(peakMemory())));
