import { type Browser, chromium } from 'playwright-core';
// @ts-expect-error the installer is plain JavaScript because it runs before anything is installed
import { browsers, findProgram } from '../../infra/setup/install.mjs';

/** Why a test without a browser is skipped. */
export const NO_BROWSER = 'Chromium was not found on the PATH. On Debian: apt-get install chromium';

/** Starts the Chromium of the PATH without a window. Returns undefined if there is none. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const names: readonly string[] = browsers;
  const executablePath: string | undefined = names
    .map((name) => findProgram(name, process.env))
    .find((file) => file !== undefined);
  if (executablePath === undefined) return undefined;
  // In containers, tests often run as root, for whom Chromium has no sandbox. The tests open only pages of this machine.
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic'];
  return await chromium.launch({ executablePath, chromiumSandbox: false, args: quiet });
}
