import { ProgramError } from '../errors.ts';

/**
 * Imports a package of `infra/`, which only the repository contains. Rejects with AORTA-SERVERS-ABSENT if it is not
 * installed. `command`: the command that needs it, such as `aorta dev kafka`.
 */
export async function repositoryOnly<M>(command: string, load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A missing third-party package is a different error.
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@aorta/")) throw error;
    throw new ProgramError('AORTA-SERVERS-ABSENT', { command });
  }
}
