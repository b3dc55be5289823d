import { readFileSync } from 'node:fs';
import { startService } from './server.ts';
import type { World } from './world.ts';

// A scripted service in a process of its own, so that it can be killed: `service.process.ts WORLD.json PORT`. The world is
// read anew for every request; faults that are used up are counted from the start of the process.
const [file, port] = process.argv.slice(2);
const { url } = await startService(() => JSON.parse(readFileSync(file!, 'utf8')) as World, Number(port));
process.stdout.write(`${url}\n`);
