import { gunzipSync } from 'node:zlib';
import { invalid } from './service-error.ts';

/** The content of a multipart upload. */
export interface Upload {
  /** The resource of the BigQuery job. */
  readonly job: unknown;
  /** The data, decompressed if it was gzipped. */
  readonly data: Buffer;
}

const LINE = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

/** Reads the body of an upload, which has two parts: the job's resource and the data. */
export function readUpload(contentType: string, body: Buffer): Upload {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalid('The upload has no boundary.');
  const [job, data] = parts(body, Buffer.from(`--${boundary}`));
  if (job === undefined || data === undefined) throw invalid('The upload does not have two parts.');
  return { job: JSON.parse(job.toString('utf8')), data: data[0] === 0x1f && data[1] === 0x8b ? gunzipSync(data) : data };
}

function parts(body: Buffer, boundary: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let at = body.indexOf(boundary);
  while (at >= 0) {
    const start = body.indexOf(HEAD_END, at);
    const next = body.indexOf(Buffer.concat([LINE, boundary]), start);
    if (start < 0 || next < 0) break;
    found.push(body.subarray(start + HEAD_END.length, next));
    at = next + LINE.length;
  }
  return found;
}
