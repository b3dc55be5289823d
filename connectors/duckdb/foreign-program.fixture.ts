import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inTime } from '../../infra/machine/waiting.fixture.ts';

/** If the tests run as root, a program with this prefix runs without the capabilities that bypass file permissions. */
export const obeying = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];

const script = `
import { DuckDBInstance } from '@duckdb/node-api';
import { createInterface } from 'node:readline';
const connection = await (await DuckDBInstance.create(process.argv[1])).connect();
console.log('opened');
for await (const sql of createInterface({ input: process.stdin })) {
  await connection.run(sql);
  console.log('done');
}`;

/** Another program that has a DuckDB file open. It runs each line of its input as a statement, and prints one line for each. */
export class ForeignProgram implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #problem = '';

  /** Starts a program with the working directory `cwd`. `words` is its command. */
  constructor([program = '', ...words]: readonly string[], cwd: string) {
    this.#child = spawn(program, words, { cwd });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#problem += text));
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Opens a file for writing, as `duckdb.connect(path)` in Python does. Rejects with what the program says if it cannot. */
  static async open(file: string): Promise<ForeignProgram> {
    const words = [...obeying, process.execPath, '--input-type=module', '-e', script, file];
    const program = new ForeignProgram(words, import.meta.dirname);
    await program.line();
    return program;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Returns the next line of output. Rejects if the program has ended. */
  async line(): Promise<string> {
    const { value, done } = await inTime('the program to answer', this.#lines.next());
    if (done) throw new Error(`The program ended: ${this.#problem}`);
    return value;
  }

  async run(sql: string): Promise<string> {
    this.#child.stdin.write(`${sql}\n`);
    return this.line();
  }

  /** Kills the program. DuckDB gets no chance to write a checkpoint, so its write-ahead log stays. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await inTime('the program to end', ended);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
