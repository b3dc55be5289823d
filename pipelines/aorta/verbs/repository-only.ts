import { ProgramError } from '../errors.ts';

/**
 * Loads a package of `infra/` that only the repository has: the published `aorta` does not depend on it. Rejects with
 * AORTA-SERVERS-ABSENT if it is not installed. `command`: what needs it, as `aorta dev kafka`.
 */
export async function repositoryOnly<M>(command: string, load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A package of somebody else that is missing is another fault.
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'@aorta/")) throw error;
    throw new ProgramError('AORTA-SERVERS-ABSENT', { command });
  }
}
