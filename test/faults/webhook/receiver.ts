import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { freePorts } from '../../../infra/machine/ports.ts';
import { until } from '../../../infra/machine/waiting.fixture.ts';
import { attempt, type ServiceOptions } from './service.ts';

const bin = join(import.meta.dirname, '../../../pipelines/aorta/bin/aorta.js');
const SECRET = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(24).toString('base64')}`;

/** A folder with the configuration of a webhook source, whose processes receive at the same address. */
export class Receiver {
  readonly service: ServiceOptions;
  readonly #folder: string;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.service = { url: `http://127.0.0.1:${port}/webhook`, secret: SECRET, retryMs: 50 };
  }

  /**
   * Writes the configuration. `others` are further sources, each a YAML value, and `more` are further lines. `heldBytes` is the
   * option `held_bytes` of the webhook source, and `data` is the folder of the streams and the warehouse, if it is another one.
   */
  static async create(
    folder: string,
    others: readonly string[] = [],
    more = '',
    heldBytes = 64 * 1024 * 1024,
    data?: string,
  ): Promise<Receiver> {
    const [port] = await freePorts(1);
    const webhook = `{ type: webhook, listen: '127.0.0.1:${port}', secrets: ['${SECRET}'], held_bytes: ${heldBytes} }`;
    writeFileSync(
      join(folder, 'aorta.yaml'),
      `sources: [${[webhook, ...others].join(', ')}]\nwarehouse: { type: duckdb, path: '${join(data ?? '', 'health.duckdb')}' }\n${more}\n`,
    );
    return new Receiver(folder, port!);
  }

  /**
   * Starts a process that receives into the streams, and waits until it serves the endpoint. Its log is the file `log`. `options` are
   * options of Node.
   */
  async start(options: readonly string[] = []): Promise<ChildProcess> {
    return this.startParts(['ingestion'], options);
  }

  /** Like {@link start}, but with these parts of the pipeline. Without any, all parts run. */
  async startParts(parts: readonly string[], options: readonly string[] = []): Promise<ChildProcess> {
    const only = parts.flatMap((part) => ['--only', part]);
    return this.#started([...options, bin, 'run', '--no-supervise', ...only], { hasChannel: true });
  }

  /** Like {@link start}, but with all parts of the pipeline and a supervisor. The two processes are a process group. */
  async startSupervised(): Promise<ChildProcess> {
    return this.#started([bin, 'run'], { detached: true, hasChannel: false });
  }

  async #started(
    command: readonly string[],
    { detached = false, hasChannel }: { readonly detached?: boolean; readonly hasChannel: boolean },
  ): Promise<ChildProcess> {
    const log = openSync(join(this.#folder, 'log'), 'a');
    const stdio = ['ignore' as const, 'ignore' as const, log, ...(hasChannel ? ['ipc' as const] : [])];
    const child = spawn(process.execPath, command, { cwd: this.#folder, stdio, detached });
    // A message with a different signature is refused, so it leaves no trace.
    const probe = (): Promise<number | undefined> => {
      expect(child.exitCode).toBe(null);
      return attempt({ id: 'msg_probe', body: '{}' }, { ...this.service, secret: OTHER_SECRET });
    };
    await until('the refusal of a wrong signature', probe, 401);
    return child;
  }
}

/** Ends a process with a signal, and waits until it has ended. */
export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const closed = once(child, 'close');
  child.kill(signal);
  if (child.exitCode === null) await closed;
}
