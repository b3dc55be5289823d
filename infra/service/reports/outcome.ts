import { createHash } from 'node:crypto';
import { z } from 'zod';
import { generatedReport } from './generated-report.ts';
import { failureReasons, reportDataSchema } from './report-form.ts';

export const outcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('completed'), data: reportDataSchema }).describe('The job finds these data.'),
  z.strictObject({ kind: z.literal('failed'), failure_reason: z.enum(failureReasons) }).describe('The job fails.'),
]);

/** How a parsing job ends. */
export type Outcome = z.output<typeof outcomeSchema>;

/** The first bytes of a PDF, a PNG and a JPEG. */
const beginnings = [Buffer.from('%PDF-'), Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('ffd8ff', 'hex')];

const isReport = (file: Uint8Array): boolean =>
  beginnings.some((beginning) => beginning.equals(file.subarray(0, beginning.length)));

/** Returns how the parsing of files ends. Equal files have equal results. `now` dates the report. */
export function outcomeOf(files: readonly Uint8Array[], now: number): Outcome {
  if (!files.every(isReport)) return { kind: 'failed', failure_reason: 'invalid_input' };
  const hash = createHash('sha256');
  // Each file is hashed on its own, so that the same bytes in two files differ from those in one.
  for (const file of files) hash.update(createHash('sha256').update(file).digest());
  return { kind: 'completed', data: generatedReport(hash.digest('hex'), now) };
}
