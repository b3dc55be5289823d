import { createRequire } from 'node:module';
import type { Runner } from './internals.ts';

const require = createRequire(import.meta.url);

/**
 * Ends fetch loops that the library starts after a consumer has stopped. If the set of brokers changes, the library ends the
 * loops of all brokers, waits until their running fetches return, and starts new loops. It starts them even if the consumer stops
 * during the wait. Such a loop fetches nothing and never yields to the event loop. The process then hangs at full CPU, and only
 * SIGKILL ends it. tulios/kafkajs#1384 describes the same kind of loop for a consumer that knows no broker.
 */
export function endStoppedFetchers(): void {
  const { prototype } = require('kafkajs/src/consumer/runner') as { prototype: Runner };
  const { fetch } = prototype;
  prototype.fetch = function (this: Runner, nodeId) {
    // Does not wait, because the loop that makes this call must end first.
    if (!this.running) void this.fetchManager.stop();
    return fetch.call(this, nodeId);
  };
}
