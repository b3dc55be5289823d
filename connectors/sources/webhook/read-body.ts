import type { Readable } from 'node:stream';
import type { Endpoint, Refusal } from './endpoint.ts';

/**
 * Reads the body of a request. Its bytes count as held from their arrival on; the caller removes them after it has answered.
 * Returns a refusal if the body is too large, too slow or broken off, or if too many bytes are held. Never rejects.
 */
export function readBody(payload: Readable, { bodyBytes, held }: Endpoint, deadlineMs: number): Promise<Buffer | Refusal> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (result: Buffer | Refusal): void => {
      clearTimeout(timer);
      payload.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      resolve(result);
    };
    const refuse = (refusal: Refusal): void => {
      held.remove(bytes);
      payload.pause();
      end(refusal);
    };
    const onData = (chunk: Buffer): void => {
      if (bytes + chunk.length > bodyBytes) refuse('too_large');
      else if (held.add(chunk.length, bytes)) {
        bytes += chunk.length;
        chunks.push(chunk);
      } else refuse('held');
    };
    const onEnd = (): void => end(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes));
    const onBroken = (): void => refuse('broken_off');
    const timer = setTimeout(() => refuse('too_slow'), deadlineMs);
    payload.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}
