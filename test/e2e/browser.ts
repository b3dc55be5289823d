import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const programs = ['chromium', 'chromium-browser', 'google-chrome'];

/** Why a test without a browser is skipped. */
export const NO_BROWSER = 'Chromium was not found on the PATH. On Debian: apt-get install chromium';

/** Starts the Chromium of the PATH without a window; undefined if there is none. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const executablePath = folders.flatMap((folder) => programs.map((name) => join(folder, name))).find((file) => existsSync(file));
  if (executablePath === undefined) return undefined;
  // In containers, tests often run as root, for whom Chromium has no sandbox. The tests open only pages of this machine.
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];
  return await chromium.launch({ executablePath, chromiumSandbox: false, args: quiet });
}
