import { ProgramError } from '../errors.ts';

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
