import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CallFailed, failureOfAnswer } from '../errors/call-failed.ts';

const compressed = promisify(gzip);

export interface Upload {
  readonly headers: Headers;
  readonly job: unknown;
  readonly body: readonly Uint8Array[];
}

export interface UploadOptions {
  readonly deadlineMs: number;
  readonly gzip: boolean;
}

/**
 * Sends a job with its data in one multipart request and returns the job. The official client cannot cancel an upload, so an
 * upload that hangs would hold its connection and data forever.
 */
export async function upload<Job>(
  url: string,
  { headers, job, body }: Upload,
  { deadlineMs, gzip: compress }: UploadOptions,
): Promise<Job> {
  const boundary = randomUUID();
  const data = compress ? [await compressed(Buffer.concat(body))] : body;
  const head = `--${boundary}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(job)}\r\n--${boundary}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const parts = [Buffer.from(head), ...data, Buffer.from(`\r\n--${boundary}--\r\n`)];
  headers.set('content-type', `multipart/related; boundary=${boundary}`);
  const response = await fetch(url, {
    method: 'POST',
    headers,
    // Streams the chunks without copying them. Several uploads may hang for a long time, and each copy would take memory.
    body: Readable.from(parts, { objectMode: false }),
    duplex: 'half',
    signal: AbortSignal.timeout(deadlineMs),
  } as RequestInit);
  const text = await response.text();
  let answer: {
    readonly error?: {
      readonly errors?: readonly { reason?: string; message?: string }[];
      readonly message?: string;
      readonly status?: string;
    };
  };
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    throw response.ok ? new CallFailed('garbled') : failureOfAnswer({}, response.status);
  }
  if (!response.ok || answer.error !== undefined) {
    const [first] = answer.error?.errors ?? [];
    throw failureOfAnswer({ message: answer.error?.message, status: answer.error?.status, ...first }, response.status);
  }
  return answer as Job;
}
