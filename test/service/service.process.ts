import { readFileSync } from 'node:fs';
import { startService } from './server.ts';
import type { World } from './world.ts';

// A scripted service in a process that a test can kill: `service.process.ts WORLD.json PORT`. The server reads the file
// again for every request. It counts used faults from the start of the process.
const [file, port] = process.argv.slice(2);
const { url } = await startService(() => JSON.parse(readFileSync(file!, 'utf8')) as World, Number(port));
process.stdout.write(`${url}\n`);
