#!/usr/bin/env node
// Starts Aorta on Node 24, even if an older Node runs this file. Only this folder must run on older versions: plain JavaScript.
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithNpm } from './npm-exec.js';

const oldestNode = 24;
const main = new URL('../main.ts', import.meta.url);

endWithNpm();
if (Number(process.versions.node.split('.')[0]) >= oldestNode) {
  // Without the compile cache, every verb takes twice as long to start.
  module.enableCompileCache?.();
  const { start } = await import(main.href);
  await start();
} else {
  launch(ownNode());
}

function ownNode() {
  const windows = process.platform === 'win32';
  try {
    return join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', windows ? 'node.exe' : 'node');
  } catch {
    return undefined;
  }
}

function launch(binary) {
  if (binary === undefined) return refuse();
  // The channel tells the child when this process is killed, so that the child ends, too, and releases the lock.
  const child = spawn(binary, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', refuse);
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of signals) process.removeAllListeners(name);
    process.exitCode = 128 + (constants.signals[signal] ?? 0);
    process.kill(process.pid, signal);
  });
}

function refuse() {
  process.stderr.write(
    `aorta: Aorta needs Node ${oldestNode} or newer. This is Node ${process.versions.node}, and the npm package \`node\` with its own Node is incomplete.\n` +
      '  Install again with install scripts allowed (npm ci), or use a newer Node.\n',
  );
  process.exit(2);
}
