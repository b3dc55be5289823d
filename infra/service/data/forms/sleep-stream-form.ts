import { z } from 'zod';
import { sampleForm } from './sample-form.ts';
import { timeseriesOf } from './samples.ts';

const samplesOf = (resource: string) => z.array(timeseriesOf(resource)!.form).nullish();

/** The samples of one sleep. Sleep cycles have replaced the hypnogram, which is no longer a resource. */
export const sleepStreamSchema = z
  .strictObject({
    hrv: samplesOf('hrv'),
    heartrate: samplesOf('heartrate'),
    hypnogram: z
      .array(sampleForm({ name: 'hypnogram', shape: 'interval', unit: 'stage', isUnitOpen: true }))
      .nullish()
      .describe('Stages: 1 deep, 2 light, 3 REM, 4 awake, 5 manual, -1 missing.'),
    respiratory_rate: samplesOf('respiratory_rate'),
  })
  .meta({ id: 'SleepStream' });
