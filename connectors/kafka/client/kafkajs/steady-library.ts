import { createRequire } from 'node:module';
import type { BrokerPool, ConsumerGroup, RequestQueue } from './internals.ts';

const require = createRequire(import.meta.url);

/**
 * Replaces the methods of kafkajs that measure time by the system clock. If the clock is set back, the library sends no
 * heartbeats, times out no requests and refreshes no metadata until the clock catches up. If the clock is set forward, every
 * running request times out at once.
 */
export function measureWithoutSystemClock(): void {
  measureHeartbeats();
  measureRequests();
  measureMetadata();
}

function measureHeartbeats(): void {
  const { prototype } = require('kafkajs/src/consumer/consumerGroup') as { prototype: ConsumerGroup };
  const { heartbeat } = prototype;
  const sentAt = new WeakMap<ConsumerGroup, number>();
  prototype.heartbeat = async function (this: ConsumerGroup, { interval }) {
    if (performance.now() < (sentAt.get(this) ?? Number.NEGATIVE_INFINITY) + interval) return;
    // The library adds the interval to this time.
    this.lastRequest = 0;
    await heartbeat.call(this, { interval: 0 });
    sentAt.set(this, performance.now());
  };
}

function measureRequests(): void {
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  const { sendSocketRequest } = prototype;
  const sentAt = new WeakMap<object, number>();
  prototype.sendSocketRequest = function (this: RequestQueue, request) {
    sentAt.set(request, performance.now());
    sendSocketRequest.call(this, request);
  };
  prototype.scheduleRequestTimeoutCheck = function (this: RequestQueue) {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    const check = (): void => {
      const now = performance.now();
      for (const request of [...this.inflight.values()])
        if (now - sentAt.get(request)! > request.requestTimeout) request.timeoutRequest();
      if (!this.isConnected()) this.destroy();
    };
    this.requestTimeoutIntervalId = setInterval(check, Math.min(this.requestTimeout, 100));
  };
  prototype.maybeThrottle = function (this: RequestQueue, milliseconds) {
    // Some answers contain no throttle time.
    this.throttledUntil = Math.max(performance.now() + (milliseconds ?? 0), this.throttledUntil);
  };
  prototype.canSendSocketRequestImmediately = function (this: RequestQueue) {
    const isFull = this.maxInFlightRequests !== null && this.inflight.size >= this.maxInFlightRequests;
    return !isFull && this.throttledUntil <= performance.now();
  };
}

function measureMetadata(): void {
  const { prototype } = require('kafkajs/src/cluster/brokerPool') as { prototype: BrokerPool };
  const { refreshMetadata, refreshMetadataIfNecessary } = prototype;
  const expiresAt = new WeakMap<BrokerPool, number>();
  prototype.refreshMetadata = async function (this: BrokerPool, topics) {
    await refreshMetadata.call(this, topics);
    this.metadataExpireAt = Number.POSITIVE_INFINITY;
    expiresAt.set(this, performance.now() + this.metadataMaxAge);
  };
  prototype.refreshMetadataIfNecessary = async function (this: BrokerPool, topics) {
    if (performance.now() > (expiresAt.get(this) ?? 0)) this.metadataExpireAt = null;
    await refreshMetadataIfNecessary.call(this, topics);
  };
}
