import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts, startGuarded } from '@aorta/machine';
import type { Catalog } from './catalog.ts';

/** The analyser's answer to a statement. It is a tree, and `node` is the key of the nested, more specific node. */
export interface AnalyserAnswer {
  readonly resolvedStatement: { readonly node: string } & Readonly<Record<string, unknown>>;
}

/**
 * The part of the analyser's protocol that is used here. If the analyser refuses a request, the promise rejects with an error
 * whose `details` contain GoogleSQL's message.
 */
export interface AnalyserService {
  GetLanguageOptions(request: { maximumFeatures: true }): Promise<{ enabledLanguageFeatures: string[] }>;
  RegisterCatalog(request: { simpleCatalog: Catalog }): Promise<{ registeredId: number }>;
  Analyze(request: { options: object; registeredCatalogId: number; sqlStatement: string }): Promise<AnalyserAnswer>;
  /** Ends the analyser's process. */
  close(): Promise<void>;
}

type Callback = (error: Error | null, answer: unknown) => void;
type Method = (request: object, callback: Callback) => void;

interface Grpc {
  readonly credentials: { createInsecure(): unknown };
  loadPackageDefinition(definition: unknown): {
    zetasql: {
      local_service: {
        ZetaSqlLocalService: new (
          address: string,
          credentials: unknown,
          options: object,
        ) => Record<string, Method> & {
          close(): void;
        };
      };
    };
  };
}

interface ProtoLoader {
  loadSync(file: string, options: object): unknown;
}

const READY_MS = 20_000;
const LOOK_EVERY_MS = 20;
const LARGEST = 500 * 1024 * 1024;

/**
 * Starts the analyser, which is a program in the npm package `@fivetrandevelopers/zetasql`. The program ends when `close` is
 * called or when this process ends.
 */
export async function startService(): Promise<AnalyserService> {
  // The package's own client allows only one instance per process, and represents 64-bit integers as objects. Therefore this
  // function builds its own client from the package's dependencies, and resolves them from the package.
  const require = createRequire(import.meta.url);
  const home = join(dirname(require.resolve('@fivetrandevelopers/zetasql/package.json')), 'lib', 'zetasql');
  const { resolve } = createRequire(require.resolve('@fivetrandevelopers/zetasql/package.json'));
  const grpc = require(resolve('@grpc/grpc-js')) as Grpc;
  const { loadSync } = require(resolve('@grpc/proto-loader')) as ProtoLoader;
  const [port] = await freePorts(1);
  const address = `localhost:${port}`;
  const program = join(
    home,
    `remote_server${process.arch.startsWith('arm') ? '_arm' : ''}${process.platform === 'darwin' ? '' : '.so'}`,
  );
  const guarded = await startGuarded(program, ['localhost', String(port)], { log: join(tmpdir(), 'aorta-analyser.log') });
  const definition = loadSync('local_service.proto', {
    defaults: false,
    oneofs: true,
    enums: String,
    longs: Number,
    includeDirs: [join(home, 'protos')],
  });
  const { ZetaSqlLocalService } = grpc.loadPackageDefinition(definition).zetasql.local_service;
  const client = new ZetaSqlLocalService(address, grpc.credentials.createInsecure(), {
    'grpc.max_send_message_length': LARGEST,
    'grpc.max_receive_message_length': LARGEST,
  });
  const call = <Answer>(method: string, request: object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      client[method]!(request, (error, answer) => (error === null ? resolve(answer as Answer) : reject(error)));
    });
  const close = async (): Promise<void> => {
    client.close();
    guarded.signal('SIGKILL');
    await guarded.ended;
  };
  const deadline = performance.now() + READY_MS;
  for (;;) {
    try {
      await call('FormatSql', { sql: 'SELECT 1' });
      break;
    } catch {
      if (!guarded.running || performance.now() > deadline) {
        await close();
        throw new Error(
          'The GoogleSQL analyser did not start. It runs only on Linux and macOS. See aorta-analyser.log in the temporary folder.',
        );
      }
      await sleep(LOOK_EVERY_MS);
    }
  }
  return {
    GetLanguageOptions: (request) => call('GetLanguageOptions', request),
    RegisterCatalog: (request) => call('RegisterCatalog', request),
    Analyze: (request) => call('Analyze', request),
    close,
  };
}
