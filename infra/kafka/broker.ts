import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { classArchive } from './class-archive.ts';
import { type Guarded, startGuarded } from './guarded.ts';
import { kafkaJars } from './jars.ts';
import { type Java, javaWith } from './java.ts';
import { freePorts } from './ports.ts';
import { BrokerProblem } from './problem.ts';
import { type BrokerPorts, type BrokerSettings, brokerProperties } from './properties.ts';
import { isReady } from './ready.ts';
import { formatStorage } from './storage.ts';

export interface BrokerOptions extends Pick<BrokerSettings, 'users' | 'properties'> {
  /** Keeps its topics there; without it they are gone when it stops. */
  readonly folder?: string;
  /** Port of clients that do not log in; default: any that is free. */
  readonly port?: number;
}

/** Milliseconds until a broker has to be ready. */
const READY_MS = 60_000;
const LOOK_EVERY_MS = 20;

/** For tests: the quicker compiler alone, a small heap, and classes out of an archive. */
const JVM = ['-Xmx512m', '-Xms64m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];
const LOGGING = '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn';

/** A Kafka broker on this machine, which ends with the process that started it. */
export class KafkaBroker {
  readonly #java: Java;
  readonly #root: string;
  readonly #kept: boolean;
  readonly #ports: BrokerPorts;
  #running: Guarded | undefined;

  private constructor(java: Java, root: string, kept: boolean, ports: BrokerPorts) {
    this.#java = java;
    this.#root = root;
    this.#kept = kept;
    this.#ports = ports;
  }

  /** Starts one, fetching what it needs where that was not done before. Rejects with {@link BrokerProblem}. */
  static async start({ folder, port, users, properties }: BrokerOptions = {}): Promise<KafkaBroker> {
    const java = await javaWith(await kafkaJars());
    const root = folder ?? (await mkdtemp(join(tmpdir(), 'aorta-kafka-')));
    const [plain, controller, sasl] = await freePorts(3);
    const ports: BrokerPorts = {
      plain: port ?? plain!,
      controller: controller!,
      ...(users === undefined ? {} : { sasl: sasl! }),
    };
    const broker = new KafkaBroker(java, root, folder !== undefined, ports);
    try {
      await mkdir(root, { recursive: true });
      const logs = join(root, 'data');
      // What is formatted already is copied over itself: the same bytes.
      await formatStorage(java, logs);
      const settings = {
        ports,
        folder: logs,
        ...(users === undefined ? {} : { users }),
        ...(properties === undefined ? {} : { properties }),
      };
      await writeFile(join(root, 'server.properties'), brokerProperties(settings), { mode: 0o600 });
      await broker.restart();
    } catch (error) {
      await broker.stop();
      throw error;
    }
    return broker;
  }

  /** `host:port` of those who do not log in. */
  get address(): string {
    return `127.0.0.1:${this.#ports.plain}`;
  }

  /** `host:port` of those who log in with SASL/PLAIN; undefined where it was given no users. */
  get saslAddress(): string | undefined {
    return this.#ports.sasl === undefined ? undefined : `127.0.0.1:${this.#ports.sasl}`;
  }

  /** Starts it again, with the same ports and topics, after it was killed. Resolves when it serves clients. */
  async restart(): Promise<void> {
    const archive = await classArchive(this.#java);
    const words = [...JVM, `-XX:SharedArchiveFile=${archive}`, LOGGING, '-cp', this.#java.classPath];
    const log = join(this.#root, 'broker.log');
    const running = await startGuarded(this.#java.program, [...words, 'kafka.Kafka', join(this.#root, 'server.properties')], log);
    this.#running = running;
    let ended = false;
    void running.ended.then(() => {
      ended = true;
    });
    const deadline = performance.now() + READY_MS;
    while (!(await isReady(this.#ports.plain))) {
      if (!ended && performance.now() < deadline) {
        await sleep(LOOK_EVERY_MS);
        continue;
      }
      const said = await readFile(log, 'utf8').catch(() => '');
      throw new BrokerProblem(`the broker ${ended ? 'ended' : 'is not ready'}: ${said.trim().split('\n').at(-1) ?? ''}`);
    }
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Nothing of it moves any more, though its connections stay; `thaw` ends that. */
  freeze(): void {
    if (this.#running !== undefined) process.kill(this.#running.pid, 'SIGSTOP');
  }

  thaw(): void {
    if (this.#running !== undefined) process.kill(this.#running.pid, 'SIGCONT');
  }

  /** Ends it in order, and removes its topics unless it was given a folder. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
    if (!this.#kept) await rm(this.#root, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    try {
      process.kill(running.pid, signal);
    } catch {
      // Ended by itself.
    }
    await running.ended;
  }
}
