import { readFileSync } from 'node:fs';
import { startService } from './server.ts';
import type { World } from './world.ts';

// Runs a scripted service in a process that a test can kill: `service.process.ts WORLD.json PORT`. The server reads the file
// for every request, so a test can change the data. After a restart, faults that were used up happen again.
const [file, port] = process.argv.slice(2);
const { url } = await startService(() => JSON.parse(readFileSync(file!, 'utf8')) as World, Number(port));
process.stdout.write(`${url}\n`);
