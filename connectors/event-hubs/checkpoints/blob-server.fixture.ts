import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

/** An empty local blob store for tests, in its own process. */
export interface BlobServer {
  /** Connection string of the store's only account. */
  readonly connection: string;
  stop(): Promise<void>;
}

/** The local store's only account, whose name and key are public. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

export async function startBlobServer(): Promise<BlobServer> {
  const main = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
  const options = [
    '--inMemoryPersistence',
    '--blobHost',
    '127.0.0.1',
    '--blobPort',
    '0',
    '--disableTelemetry',
    '--skipApiVersionCheck',
  ];
  const child = spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    const endpoint = /listens on (http:\S+)/.exec(line)?.[1];
    if (endpoint === undefined) continue;
    child.stdout.resume();
    return {
      connection: `DefaultEndpointsProtocol=http;AccountName=${ACCOUNT};AccountKey=${KEY};BlobEndpoint=${endpoint}/${ACCOUNT};`,
      stop: async () => {
        child.kill();
        await exited;
      },
    };
  }
  throw new Error('the blob store ended before it listened');
}
