import { dockerAnswers } from '@aorta/machine';
import { ContainerEmulator, image } from '../docker/container-emulator.ts';
import { Emulator } from './emulator.ts';
import type { EmulatorOptions, RunningEmulator } from './running.ts';

/**
 * Images from which no emulator could be started. They are not tried again, because another failed attempt might take minutes.
 */
const refused = new Set<string>();

/**
 * Starts the emulator in a container, or with this machine's Python if Docker cannot run the container. Rejects with
 * `ServerProblem` if neither works.
 */
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
