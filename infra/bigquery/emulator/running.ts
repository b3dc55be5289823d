import { setTimeout as sleep } from 'node:timers/promises';

/** The emulator behind the local server, wherever it runs. */
export interface RunningEmulator {
  /** Where it comes from: a container, or a process of this machine. */
  readonly provider: 'docker' | 'local';
  /** `http://HOST:PORT` */
  readonly address: string;
  /** A folder of this machine that it sees under the same name: files that it is to read are put there. Gone when it stops. */
  readonly place: string;
  /** A second call does nothing. */
  stop(): Promise<void>;
}

export interface EmulatorOptions {
  readonly project: string;
  /** Hears that it has to be fetched first. */
  readonly fetching?: () => void;
}

const READY_MS = 90_000;
const LOOK_EVERY_MS = 25;

/** Resolves when the emulator serves a project; with what went wrong where it does not. */
export async function serving(address: string, project: string, runs: () => Promise<boolean>): Promise<string | undefined> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const answer = await fetch(`${address}/bigquery/v2/projects/${project}/datasets`).catch(() => undefined);
    const running = await runs();
    if (answer?.ok === true && running) return undefined;
    if (!running) return 'ended at its start';
    if (performance.now() > deadline) return `is not ready after ${READY_MS / 1000} s`;
    await sleep(LOOK_EVERY_MS);
  }
}
