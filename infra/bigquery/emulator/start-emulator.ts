import { dockerAnswers } from '@aorta/machine';
import { ContainerEmulator, image } from '../docker/container-emulator.ts';
import { Emulator } from './emulator.ts';
import type { EmulatorOptions, RunningEmulator } from './running.ts';

/** Images that the daemon could not have are not asked for again: it may take minutes to say so. */
const refused = new Set<string>();

/** The emulator: in a container where a Docker daemon answers and can have it, else of this machine's Python. Rejects with `ServerProblem`. */
export async function startEmulator(options: EmulatorOptions): Promise<RunningEmulator> {
  if (!refused.has(image()) && (await dockerAnswers())) {
    try {
      return await ContainerEmulator.start(options);
    } catch {
      refused.add(image());
    }
  }
  return Emulator.start(options);
}
