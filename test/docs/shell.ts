import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { parts } from '../run/parts.ts';
import { root } from './documents.ts';

/** Programs that a document may run. None of them uses a network: {@link toRun} lets curl call only this machine. */
const programs = [
  'aorta',
  'npx aorta',
  ...'cat cp curl dd echo grep gunzip gzip head ln ls mkdir mv printf rm tail tar touch wc'.split(' '),
];

/** npm commands that set up or test the repository. The tests only check that package.json defines the scripts they name. */
const scripts = [
  'npm test',
  'npm run test:campaign',
  'npm run check',
  'npm run bench',
  'npm run soak',
  'npm run real',
  'npm run generate',
  'npm run freeze',
  'npm run format',
  'npm run build:packages',
];

/** Commands of the test runner. The tests do not run them, but test/docs/names.test.ts checks that the named files exist. */
const runner = /^npx vitest run( --project (unit|whole|campaign|outages|timed))?( -u)?( [\w./-]+)*$/;

const LOCAL = 'http://127.0.0.1:';

/** Returns the shell command that runs a command from a document, or undefined if the tests do not run it. */
export function toRun(command: string): string | undefined {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  if (command === 'npm start') {
    // Omits the setup, and runs only the last command of the script.
    const { start = '' } = manifest.scripts;
    return `npm_command=start ${start.slice(start.lastIndexOf('&&') + 2).trim()}`;
  }
  if (scripts.includes(command)) {
    const name = command.replace(/^npm (run )?/, '');
    if (manifest.scripts[name] === undefined) throw new Error(`package.json has no script ${name}`);
    return undefined;
  }
  if (runner.test(command)) return undefined;
  const campaign = /^npm run test:campaign -- (.+)$/.exec(command);
  if (campaign !== null) {
    const unknown = campaign[1]!.split(' ').filter((part) => !Object.hasOwn(parts, part));
    if (unknown.length > 0) throw new Error(`the campaign has no part ${unknown.join(', ')}`);
    return undefined;
  }
  const bare = command.replace(/^(\w+=\S* )+/, '');
  if (!programs.some((name) => bare === name || bare.startsWith(`${name} `)))
    throw new Error(`a document may not run: ${command.split('\n')[0]}`);
  if (bare.startsWith('curl ') && (!bare.includes(LOCAL) || bare.replaceAll(LOCAL, '').includes('://')))
    throw new Error(`a document may call only ${LOCAL}: ${command.split('\n')[0]}`);
  return command;
}

/** Returns the commands of a code block, each with its continuation lines or the text of its here-document. */
export function commandsOf(text: string): string[] {
  const commands: string[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    let command = lines[index]!;
    while (command.endsWith('\\')) command += `\n${lines[++index]}`;
    const mark = /<<'?(\w+)'?/.exec(command)?.[1];
    if (mark !== undefined) {
      do command += `\n${lines[++index]}`;
      while (lines[index] !== mark && index < lines.length);
    }
    if (command.trim() !== '' && !command.startsWith('#')) commands.push(command);
  }
  return commands;
}

export interface Ended {
  readonly code: number;
  /** Standard output and standard error, in the order in which a terminal shows them. */
  readonly output: string;
}

/** The folder of a document's commands, and additional variables of their environment. */
export interface Place {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs a command in a folder. `aorta` and `npx aorta` start this repository's program. */
export function run(command: string, place: Place, input = ''): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawnShell(command, place, false);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** A command that runs until the end of its document. */
export interface Background {
  readonly command: string;
  /** Standard output and standard error so far. */
  output(): string;
  /** Resolves when `holds` is true for the output so far. Rejects if the command ends first. */
  printed(holds: (output: string) => boolean): Promise<void>;
  /** Ends the command and the processes that it started. */
  stop(): Promise<void>;
}

/** Starts a command in a folder, and does not wait for its end. */
export function runInBackground(command: string, place: Place): Background {
  const child = spawnShell(command, place, true);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.end();
  let isClosed = false;
  const closed = once(child, 'close').then(() => {
    isClosed = true;
  });
  return {
    command,
    output: () => output,
    printed: async (holds) => {
      await until(
        `the output of ${command}`,
        () => holds(output) || isClosed,
        Boolean,
        () => output,
      );
      if (!holds(output)) throw new Error(`${command}: it ended. Its output:\n${output}`);
    },
    stop: async () => {
      // The shell and the program form a process group.
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM');
      await closed;
    },
  };
}

/** The environment of a document's commands. */
export function environmentOf({ folder, environment }: Place): NodeJS.ProcessEnv {
  return {
    PATH: `${programsIn(`${folder}.bin`)}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: folder,
    NO_COLOR: '1',
    LC_ALL: 'C.UTF-8',
    // Secrets that the documents' configurations read from the environment.
    // 24 bytes in Base64.
    WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
    EVENT_HUBS_CONNECTION: 'Endpoint=sb://hubs.example.com;SharedAccessKeyName=listen;SharedAccessKey=c2VjcmV0',
    KAFKA_PASSWORD: 'secret',
    KAFKA_KEY_PASSPHRASE: 'secret',
    KAFKA_CLIENT_SECRET: 'secret',
    CHECKPOINTS_CONNECTION: 'AccountName=example;AccountKey=c2VjcmV0',
    // The documents start the program about a hundred times. With the cache, its modules are compiled only once.
    NODE_COMPILE_CACHE: join(dirname(folder), 'compiled'),
    ...environment,
  };
}

function spawnShell(command: string, place: Place, detached: boolean) {
  const options = { cwd: place.folder, env: environmentOf(place), detached };
  return spawn('sh', ['-c', `exec 2>&1\n${command}`], { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Creates a folder that contains the commands `aorta` and `npx`. */
function programsIn(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const program = join(root, 'pipelines/aorta/bin/aorta.js');
  const start = `exec '${process.execPath}' '${program}' "$@"\n`;
  const files = {
    aorta: `#!/bin/sh\n${start}`,
    npx: `#!/bin/sh\n[ "$1" = aorta ] || exit 127\nshift\nexport npm_command=exec\n${start}`,
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
