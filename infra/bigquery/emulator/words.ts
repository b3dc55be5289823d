/** bqemulator's arguments and environment variables, which a container and a local process share. */

interface EmulatorAddress {
  /** The address that bqemulator listens on. Default: 127.0.0.1. */
  readonly host?: string;
  readonly rest: number;
  readonly grpc: number;
  readonly project: string;
}

export function emulatorWords({ host = '127.0.0.1', rest, grpc, project }: EmulatorAddress): string[] {
  const listens = ['--rest-host', host, '--rest-port', String(rest), '--grpc-host', host, '--grpc-port', String(grpc)];
  return ['start', ...listens, '--project', project, '--log-level', 'WARNING', '--ephemeral'];
}

export const emulatorSettings: Readonly<Record<string, string>> = {
  BQEMU_ENABLE_FORMAT_EXTENSIONS: 'false',
  BQEMU_METRICS_ENABLED: 'false',
  BQEMU_SCRIPTING_MAX_STATEMENTS: '100000',
};
