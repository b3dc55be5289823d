import { expect } from 'vitest';
import { aorta } from '../e2e/command.ts';

const TRIES = 5;

/**
 * Loads what is there, as a scheduler does: exit code 75 means that a system did not answer in time, so it tries again. The second
 * run loads the tracks of historical pulls that the first run has written.
 */
export async function loadEverything(folder: string): Promise<void> {
  for (const only of [[], ['--only', 'loading']]) {
    for (let tries = 1; ; tries += 1) {
      const { code, stderr } = await aorta(folder, ['run', '--once', ...only]);
      if (code === 75 && tries < TRIES) continue;
      expect(code, stderr).toBe(0);
      break;
    }
  }
}
