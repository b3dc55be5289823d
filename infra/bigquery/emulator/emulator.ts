import { setTimeout as sleep } from 'node:timers/promises';

/** A running emulator behind the local server. */
export interface RunningEmulator {
  /** `docker` for a container, `local` for a process on this machine. */
  readonly provider: 'docker' | 'local';
  /** `http://HOST:PORT` */
  readonly address: string;
  /** A folder on this machine that the emulator can read under the same path. `stop` removes the folder. */
  readonly place: string;
  /** Stops the emulator. A second call does nothing. */
  stop(): Promise<void>;
}

export interface EmulatorOptions {
  readonly project: string;
  /** Called before the emulator's packages are installed or its image is built. */
  readonly fetching?: () => void;
}

const READY_MS = 90_000;
const LOOK_EVERY_MS = 25;

/**
 * Waits until the emulator serves a project. Resolves with undefined when the emulator is ready, or with the problem if it does
 * not become ready.
 */
export async function serving(address: string, project: string, runs: () => Promise<boolean>): Promise<string | undefined> {
  const deadline = performance.now() + READY_MS;
  for (;;) {
    const answer = await fetch(`${address}/bigquery/v2/projects/${project}/datasets`).catch(() => undefined);
    const running = await runs();
    if (answer?.ok === true && running) return undefined;
    if (!running) return 'exited during startup';
    if (performance.now() > deadline) return `is not ready after ${READY_MS / 1000} s`;
    await sleep(LOOK_EVERY_MS);
  }
}

interface EmulatorAddress {
  /** The address that bqemulator listens on. Default: 127.0.0.1. */
  readonly host?: string;
  readonly rest: number;
  readonly grpc: number;
  readonly project: string;
}

/** Returns bqemulator's arguments, which a container and a local process share. */
export function emulatorWords({ host = '127.0.0.1', rest, grpc, project }: EmulatorAddress): string[] {
  const listens = ['--rest-host', host, '--rest-port', String(rest), '--grpc-host', host, '--grpc-port', String(grpc)];
  return ['start', ...listens, '--project', project, '--log-level', 'WARNING', '--ephemeral'];
}

/** bqemulator's environment variables, which a container and a local process share. */
export const emulatorSettings: Readonly<Record<string, string>> = {
  BQEMU_ENABLE_FORMAT_EXTENSIONS: 'false',
  BQEMU_METRICS_ENABLED: 'false',
  BQEMU_SCRIPTING_MAX_STATEMENTS: '100000',
};
