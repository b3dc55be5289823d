import type * as bigQuery from '@aorta/bigquery-server';
import { hostNameSchema } from '@aorta/runtime';
import type { Command } from 'commander';
import { ProgramError } from '../../errors.ts';

/** Converts startup errors of a local server into errors of the catalogue. Returns any other error unchanged. */
export function notStarted(
  error: unknown,
  code: 'AORTA-BIGQUERY-LOCAL' | 'AORTA-KAFKA-LOCAL',
  // Passed as a parameter, because the published package does not contain the local servers.
  { PortTaken, ServerProblem }: Pick<typeof bigQuery, 'PortTaken' | 'ServerProblem'>,
): unknown {
  if (error instanceof PortTaken)
    return new ProgramError('AORTA-USAGE', {
      problem: `port ${error.port} is in use`,
      hint: 'Choose a different one with --port; 0 picks a free one.',
    });
  if (error instanceof ServerProblem) return new ProgramError(code, { problem: error.problem, hint: error.hint });
  return error;
}

/**
 * Imports a package from `infra/`, which only the repository contains. Rejects with AORTA-SERVERS-ABSENT if the package is
 * not installed. `command`: the command that needs the package, such as `aorta dev kafka`.
 */
export async function repositoryOnly<M>(command: string, load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // If a third-party package is missing, the original error is thrown.
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@aorta/")) throw error;
    throw new ProgramError('AORTA-SERVERS-ABSENT', { command });
  }
}

/** Quotes a string for a configuration file if necessary. Dollar signs are doubled, because a file expands variables. */
export function yamlWord(text: string): string {
  const isPlain = /^[A-Za-z/][\w./-]*$/.test(text) && !/^(true|false|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text.replaceAll('$', '$$$$'));
}

/** The value of {@link withAllowedHosts}. */
export interface AllowedHosts {
  readonly allowedHosts?: readonly string[];
}

/** Adds the option that allows further names in the headers `Host` and `Origin`. */
export function withAllowedHosts(command: Command): Command {
  return command.option(
    '--allowed-hosts <name>',
    'allow requests with this name in their Host or Origin header, such as host.docker.internal; may be repeated (default: only names of this machine)',
    addHost,
  );
}

function addHost(text: string, before: readonly string[] = []): readonly string[] {
  const { data: name } = hostNameSchema.safeParse(text);
  if (name !== undefined) return [...before, name];
  throw new ProgramError('AORTA-USAGE', {
    problem: '--allowed-hosts needs a host name or an IP address, without a port',
    hint: 'Write --allowed-hosts host.docker.internal, and repeat the option for further names.',
  });
}

/** Returns the server option with the allowed names, if there are any. */
export const allowedBy = ({ allowedHosts }: AllowedHosts): AllowedHosts => (allowedHosts === undefined ? {} : { allowedHosts });
