import { writeFileSync } from 'node:fs';
import { peakMemory } from '../bench/peak-memory.ts';

/** Preloaded (`node --import`): writes the most memory that the process had, in MB, to the file PEAK_FILE when it ends. */
process.on('exit', () => writeFileSync(process.env.PEAK_FILE!, String(peakMemory())));
