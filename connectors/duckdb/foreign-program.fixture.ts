import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inTime } from '../../infra/machine/waiting.fixture.ts';

const script = `
import { DuckDBInstance } from '@duckdb/node-api';
import { createInterface } from 'node:readline';
const connection = await (await DuckDBInstance.create(process.argv[1])).connect();
console.log('opened');
for await (const sql of createInterface({ input: process.stdin })) {
  await connection.run(sql);
  console.log('done');
}`;

/** If the tests run as root, the program runs without the capabilities that bypass file permissions. */
const obeying = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'] : [];

/** Another program that has a DuckDB file open for writing, as `duckdb.connect(path)` in Python does. Ends with {@link kill}. */
export class ForeignProgram implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #problem = '';

  private constructor(file: string) {
    const [program = '', ...words] = [...obeying, process.execPath, '--input-type=module', '-e', script, file];
    this.#child = spawn(program, words, { cwd: import.meta.dirname });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#problem += text));
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  static async open(file: string): Promise<ForeignProgram> {
    const program = new ForeignProgram(file);
    await program.#line('to open the file', 'opened');
    return program;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  async run(sql: string): Promise<void> {
    this.#child.stdin.write(`${sql}\n`);
    await this.#line(`to run ${sql}`, 'done');
  }

  /** Kills the program. DuckDB gets no chance to write a checkpoint, so its write-ahead log stays. */
  async kill(): Promise<void> {
    const ended = once(this.#child, 'close');
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await inTime('the program to end', ended);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  async #line(what: string, wanted: string): Promise<void> {
    const { value } = await inTime(`the program ${what}`, this.#lines.next());
    if (value !== wanted) throw new Error(`The program said ${String(value)} instead of ${wanted}: ${this.#problem}`);
  }
}
