import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cacheFolder,
  finished,
  freePorts,
  type Guarded,
  isFree,
  PortTaken,
  reason,
  type ServerProblem,
  startGuarded,
} from '@aorta/machine';
import { isReady } from './exchange.ts';
import { brokerProblem, type Java, jarsProblem, javaProblem, javaWith, jvmOf, kafkaJars, type Purpose } from './java.ts';
import { type BrokerPorts, type BrokerSettings, brokerProperties, type TokenCheck } from './properties.ts';
import type { BrokerFaults, BrokerOptions, ProvidedBroker } from './provided.ts';
import { formatStorage } from './storage.ts';

/** Maximum time, in milliseconds, for a broker to become ready (`READY_MS`) and to shut down cleanly (`END_MS`). */
const READY_MS = 60_000;
const END_MS = 20_000;
/** Maximum time, in milliseconds, until the process has ended, even if it must be killed. */
const GONE_MS = 2 * END_MS;
const LOOK_EVERY_MS = 20;
/** Maximum number of attempts to choose free ports. A different process may take one of the ports first. */
const CHOICES = 5;

const STOPPED_EVERY_MS = 2;

/** The part of a broker's setup that stays the same when the broker is restarted. */
interface BrokerSetup {
  readonly java: Java;
  /** The folder with the broker's settings, log and topics. */
  readonly root: string;
  readonly cluster: string;
  readonly node: number;
  readonly ports: BrokerPorts;
  readonly purpose: Purpose;
  readonly tokens: TokenCheck | undefined;
}

const FILE = 'broker.pid';

/** Writes the broker's process id to its folder. */
async function hold(root: string, pid: number): Promise<void> {
  await writeFile(join(root, FILE), `${pid}\n`);
}

/**
 * Rejects with {@link ServerProblem} if a broker runs in the folder. Kafka has its own lock, but a second broker would
 * write to the first broker's metadata log before it checks that lock.
 */
async function refuseHeld(root: string): Promise<void> {
  const pid = Number.parseInt(await readFile(join(root, FILE), 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid)) return;
  // By now, the process id may belong to a different program.
  const { output } = await finished('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({ output: '' }));
  if (output.includes(root))
    throw brokerProblem(`A broker already runs in the folder ${root}, as process ${pid}`, 'Stop it, or use a different folder.');
}

let counter = 0;

/**
 * An archive of the classes that a broker loads. Java maps the archive into memory, which halves the broker's startup
 * time. The first broker that shuts down cleanly writes the archive, and all later brokers use it.
 */
class ClassArchive {
  readonly file: string;
  readonly #making: string;

  constructor(java: Java) {
    this.file = join(cacheFolder(), `kafka-classes-${java.key}.jsa`);
    this.#making = `${this.file}.making-${process.pid}-${counter++}`;
  }

  /** Returns the Java option that uses the archive, or the option that writes the archive if it does not exist yet. */
  async option(): Promise<string> {
    await mkdir(dirname(this.file), { recursive: true });
    return existsSync(this.file) ? `-XX:SharedArchiveFile=${this.file}` : `-XX:ArchiveClassesAtExit=${this.#making}`;
  }

  /** Publishes the archive that the broker wrote, if any. Call this method after a clean shutdown. */
  async keep(): Promise<void> {
    if (existsSync(this.#making)) await rename(this.#making, this.file);
  }

  /** Removes an incomplete archive. Call this method after killing the broker. */
  async drop(): Promise<void> {
    await rm(this.#making, { force: true });
  }
}

/**
 * Resolves when a process that received SIGSTOP has stopped or no longer exists. The signal takes a few milliseconds to
 * reach all threads, and a broker still answers during this time.
 */
async function stopped(pid: number): Promise<void> {
  while (!(await states(pid)).every((state) => state.startsWith('T'))) await sleep(STOPPED_EVERY_MS);
}

/**
 * Returns the state of each thread of a process, in the letters that `ps` uses. On systems other than Linux, returns only
 * the state of the process.
 */
async function states(pid: number): Promise<string[]> {
  if (process.platform !== 'linux') return [(await finished('ps', ['-o', 'state=', '-p', String(pid)])).output.trim() || 'T'];
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  // The state follows the thread's name, which is in parentheses and may itself contain parentheses.
  const texts = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8').catch(() => ') T'));
  return (await Promise.all(texts)).map((text) => text.slice(text.lastIndexOf(')') + 2));
}

/** A Kafka broker on this machine. The broker ends when the process that started it ends. */
export class KafkaBroker implements ProvidedBroker, BrokerFaults {
  readonly provider = 'jvm';
  readonly faults: BrokerFaults = this;
  readonly #setup: BrokerSetup;
  readonly #kept: boolean;
  readonly #archive: ClassArchive;
  #running: Guarded | undefined;

  private constructor(setup: BrokerSetup, kept: boolean) {
    this.#setup = setup;
    this.#kept = kept;
    this.#archive = new ClassArchive(setup.java);
  }

  /** Starts a broker. If this machine does not have Kafka, downloads it first. Rejects with {@link ServerProblem}. */
  static async start(options: BrokerOptions = {}): Promise<KafkaBroker> {
    const java = await javaWith(await kafkaJars(options.fetching));
    if (options.port && !(await isFree(options.port))) throw new PortTaken(options.port);
    if (options.folder !== undefined) await refuseHeld(options.folder);
    const root = options.folder ?? (await mkdtemp(join(tmpdir(), 'aorta-kafka-')));
    for (let choice = 1; ; choice++) {
      const broker = new KafkaBroker(await prepare(java, root, options), options.folder !== undefined);
      try {
        await broker.restart();
        return broker;
      } catch (error) {
        const again = error instanceof PortTaken && error.port !== options.port && choice < CHOICES;
        if (!again) await broker.stop();
        if (!again) throw error;
      }
    }
  }

  /** Prepares a member of a cluster without starting it. Call `restart` to start it. `stop` removes the member's folder. */
  static async member(options: MemberOptions): Promise<KafkaBroker> {
    const { java, root, cluster, ports, purpose, ...settings } = options;
    const place = await placed({ java, root, cluster, ports, purpose }, settings);
    return new KafkaBroker(place, false);
  }

  get brokers(): readonly string[] {
    return [`127.0.0.1:${this.#setup.ports.plain}`];
  }

  get saslBrokers(): readonly string[] {
    const { sasl } = this.#setup.ports;
    return sasl === undefined ? [] : [`127.0.0.1:${sasl}`];
  }

  /** `host:port` for clients that log in over TLS; empty if the broker has no certificate. */
  get secureBrokers(): readonly string[] {
    const { secure } = this.#setup.ports;
    return secure === undefined ? [] : [`127.0.0.1:${secure}`];
  }

  /** The broker's number in its cluster. */
  get node(): number {
    return this.#setup.node;
  }

  /** Id of the Java process; undefined while the broker is not running. */
  get pid(): number | undefined {
    return this.#running?.pid;
  }

  /** The file with the broker's warnings and errors. */
  get log(): string {
    return join(this.#setup.root, 'broker.log');
  }

  /** The folder with the records of all topics, with one subfolder `topic-partition` per partition. */
  get records(): string {
    return join(this.#setup.root, 'data');
  }

  async restart(): Promise<void> {
    await this.#end();
    const { java, root, cluster, node, ports, purpose, tokens } = this.#setup;
    // Errors quote the log, so it must contain only messages from this start.
    await rm(this.log, { force: true });
    // A broker for load tests may start slowly, so it does not need the class archive.
    const archive = purpose === 'load' ? [] : [await this.#archive.option()];
    const words = [...jvmOf(purpose), ...archive, ...trusting(tokens), '-cp', java.classPath, 'kafka.Kafka'];
    const running = await startGuarded(java.program, [...words, join(root, 'server.properties')], {
      log: this.log,
      needless: this.#kept ? undefined : root,
    });
    this.#running = running;
    await hold(root, running.pid);
    const deadline = performance.now() + READY_MS;
    while (!(await isReady({ id: cluster, node, host: '127.0.0.1', port: ports.plain }))) {
      if (running.running && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
      else throw await this.#notReady(running);
    }
  }

  async kill(): Promise<void> {
    this.#running?.signal('SIGKILL');
    await this.#gone();
    await this.#archive.drop();
  }

  async freeze(): Promise<void> {
    const running = this.#running;
    running?.signal('SIGSTOP');
    if (running !== undefined) await stopped(running.pid);
  }

  async thaw(): Promise<void> {
    this.#running?.signal('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.#end();
    if (!this.#kept) await rm(this.#setup.root, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Shuts the broker down cleanly. Kills the broker if the shutdown takes longer than `END_MS`. */
  async #end(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.signal('SIGTERM');
    running.signal('SIGCONT');
    const late = setTimeout(() => running.signal('SIGKILL'), END_MS);
    await this.#gone();
    clearTimeout(late);
    await this.#archive.keep();
  }

  async #gone(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    const waiting = new AbortController();
    const late = sleep(GONE_MS, 'late', { signal: waiting.signal }).catch(() => 'ended');
    const first = await Promise.race([running.ended, late]);
    waiting.abort();
    if (first === 'late')
      throw brokerProblem(`Kafka's broker, process ${running.pid}, did not end within ${GONE_MS / 1000} s`, 'Kill the process.');
  }

  async #notReady(running: Guarded): Promise<ServerProblem> {
    const ended = !running.running;
    const said = await readFile(this.log, 'utf8').catch(() => '');
    const taken = Object.values(this.#setup.ports).find((port) => ended && said.includes(`:${port}: Address already in use`));
    await this.kill();
    if (taken !== undefined) return new PortTaken(taken);
    return brokerProblem(
      `Kafka's broker ${ended ? 'exited during startup' : `is not ready after ${READY_MS / 1000} s`}: ${reason(said)}`,
    );
  }
}

/** Returns why this machine cannot run a broker without Docker; undefined if it can. */
export async function whyNoJvmBroker(): Promise<ServerProblem | undefined> {
  return (await javaProblem()) ?? (await jarsProblem());
}

export interface MemberOptions extends Omit<BrokerSettings, 'folder' | 'listens' | 'host'> {
  readonly java: Java;
  readonly root: string;
  readonly cluster: string;
  readonly purpose: Purpose;
}

/** Returns the Java option that allows Kafka to fetch the signing keys. Kafka fetches keys only from allowed URLs. */
function trusting(tokens: TokenCheck | undefined): readonly string[] {
  return tokens === undefined ? [] : [`-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${tokens.keys}`];
}

async function prepare(
  java: Java,
  root: string,
  { port, users, properties, purpose = 'tests' }: BrokerOptions,
): Promise<BrokerSetup> {
  const [plain, controller, sasl] = await freePorts(3);
  const ports = { plain: port || plain!, controller: controller!, sasl: users === undefined ? undefined : sasl! };
  const settings = {
    users,
    properties,
  };
  return placed({ java, root, cluster: undefined, ports, purpose }, settings);
}

/**
 * Prepares the storage and the settings in a broker's folder. Without `cluster`, a formatted folder keeps its cluster id,
 * and a new folder gets a new cluster id.
 */
async function placed(
  where: Pick<BrokerSetup, 'java' | 'root' | 'ports' | 'purpose'> & { readonly cluster: string | undefined },
  settings: Omit<BrokerSettings, 'folder' | 'ports'>,
): Promise<BrokerSetup> {
  const { java, root, ports, purpose } = where;
  const node = settings.member?.node ?? 1;
  const folder = join(root, 'data');
  // Kafka creates files that every user can read, so the folder is private.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const cluster = await formatStorage(java, folder, node, where.cluster);
  await writeFile(join(root, 'server.properties'), brokerProperties({ ...settings, ports, folder }), { mode: 0o600 });
  return { java, root, cluster, node, ports, purpose, tokens: settings.tokens };
}
