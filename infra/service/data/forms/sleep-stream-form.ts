import { z } from 'zod';
import { hypnogramForm } from './hypnogram-form.ts';
import { timeseriesOf } from './samples.ts';

const samplesOf = (resource: string) => z.array(timeseriesOf(resource)!.form).nullish();

/** The samples of one sleep. */
export const sleepStreamSchema = z
  .strictObject({
    hrv: samplesOf('hrv'),
    heartrate: samplesOf('heartrate'),
    hypnogram: z.array(hypnogramForm).nullish().describe('Stages: 1 deep, 2 light, 3 REM, 4 awake, 5 manual, -1 missing.'),
    respiratory_rate: samplesOf('respiratory_rate'),
  })
  .meta({ id: 'SleepStream' });
