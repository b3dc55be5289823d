import type { AddressInfo } from 'node:net';
import { controlOperations } from './control/control-operations.ts';
import { createControl } from './control/control-server.ts';
import { Service, type ServiceOptions } from './service.ts';

export interface ServedServiceOptions extends ServiceOptions {
  /** Address of the API. Default: 127.0.0.1. */
  readonly host?: string;
  /** Port of the API. Default: 0, a free one. */
  readonly port?: number;
  /** Port of the control operations, which listen on 127.0.0.1 only. Default: 0, a free one. */
  readonly controlPort?: number;
  /** Names that requests to both ports may have in `Host` and `Origin`, besides those of this machine. Default: none. */
  readonly allowedHosts?: readonly string[];
}

/** A service with its two ports. */
export interface ServedService {
  readonly service: Service;
  /** Address of the API. */
  readonly url: string;
  /** Address of the control operations. */
  readonly controlUrl: string;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a service and both of its ports. Rejects with a {@link StateError} as {@link Service} does, and with the error of the
 * system, such as EADDRINUSE, if a port is taken.
 */
export async function startService(options: ServedServiceOptions = {}): Promise<ServedService> {
  const { host = '127.0.0.1', port = 0, controlPort = 0, allowedHosts } = options;
  const service = new Service(options);
  const control = createControl(controlOperations(service), allowedHosts);
  try {
    await control.listen({ host: '127.0.0.1', port: controlPort });
    const api = await service.serve({ host, port, allowedHosts });
    return {
      service,
      url: api.url,
      controlUrl: `http://127.0.0.1:${(control.server.address() as AddressInfo).port}`,
      [Symbol.asyncDispose]: async () => {
        // Neither port waits for its open connections, such as a request that advances the clock.
        await Promise.all([api.close(), control.close()]);
        await service.close();
      },
    };
  } catch (error) {
    await control.close();
    await service.close();
    throw error;
  }
}
