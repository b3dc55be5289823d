import * as schemas from '@junction-api/sdk/serialization';
import { expect } from 'vitest';
import type { SdkCall } from './sdk-call.ts';
import { newUser, START, type World } from './world.ts';

const pdf = new File(['%PDF-1.7 a report'], 'report.pdf', { type: 'application/pdf' });
const page = new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'page.png', { type: 'image/png' });
const TWO_MINUTES = 120_000;

/** How a program has lab reports parsed with the SDK, by operation. */
export const reportCalls: Readonly<Record<string, SdkCall>> = {
  create_lab_report_parser_job: {
    answer: schemas.ParsingJob,
    async call(world) {
      const { labReport } = world.sdk;
      const userId = await newUser(world);
      const started = { status: 'started', failureReason: null, data: null, isReviewed: false };
      expect(await labReport.parserCreateJob({ file: [pdf], userId })).toMatchObject({ ...started, needsHumanReview: false });
      const reviewed = await labReport.parserCreateJob({ file: [pdf, page], userId, needsHumanReview: true });
      expect(reviewed).toMatchObject({ ...started, needsHumanReview: true });
      await expect(labReport.parserCreateJob({ file: [pdf], userId: crypto.randomUUID() })).rejects.toMatchObject({
        statusCode: 404,
      });
    },
  },
  get_lab_report_parser_job: {
    answer: schemas.ParsingJob,
    async call(world) {
      const { labReport } = world.sdk;
      const jobId = await newJob(world);
      expect(await labReport.parserGetJob({ jobId })).toMatchObject({ id: jobId, status: 'started' });
      await world.service.jobs.advanceTo(START + TWO_MINUTES);
      const { status, data } = await labReport.parserGetJob({ jobId });
      expect([status, data!.metadata.patientLastName, typeof data!.results[0]!.value]).toEqual(['completed', null, 'string']);
      await expect(labReport.parserGetJob({ jobId: crypto.randomUUID() })).rejects.toMatchObject({ statusCode: 404 });
    },
  },
};

async function newJob(world: World): Promise<string> {
  return (await world.sdk.labReport.parserCreateJob({ file: [pdf], userId: await newUser(world) })).id;
}
