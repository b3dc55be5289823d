import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenForStop } from './surroundings.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('the first signal requests a stop, and a second signal ends the process unless it arrives right after the first', () => {
  const source = new EventEmitter();
  const [said, ended] = [vi.fn(), vi.fn()];
  const stop = listenForStop(said, source, ended);
  expect(stop.cause).toBeUndefined();
  source.emit('SIGINT');
  source.emit('SIGINT');
  expect(stop.signal.aborted).toBe(true);
  expect(stop.cause).toBe('SIGINT');
  expect(ended).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  source.emit('SIGTERM');
  expect(ended).toHaveBeenCalledExactlyOnceWith(143);
  expect(said).toHaveBeenCalledOnce();
  stop[Symbol.dispose]();
  expect(source.listenerCount('SIGINT')).toBe(0);
});

it('a stop is requested if the supervisor ends, even if it ended before the process started listening', () => {
  const gone = new AbortController();
  const stop = listenForStop(vi.fn(), new EventEmitter(), vi.fn(), gone.signal);
  expect(stop.signal.aborted).toBe(false);
  gone.abort();
  expect([stop.signal.aborted, stop.cause]).toEqual([true, 'SIGTERM']);
  const late = listenForStop(vi.fn(), new EventEmitter(), vi.fn(), gone.signal);
  expect([late.signal.aborted, late.cause]).toEqual([true, 'SIGTERM']);
});
