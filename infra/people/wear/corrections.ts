import type { DiscreteSample } from '../timeseries.ts';

/** Returns the samples with the values of those that the provider corrected later. */
export function withCorrections(samples: DiscreteSample[], corrected: readonly DiscreteSample[]): DiscreteSample[] {
  const values = new Map(corrected.map(({ timestamp, value }) => [Date.parse(timestamp), value]));
  if (values.size === 0) return samples;
  return samples.map((sample) => ({ ...sample, value: values.get(Date.parse(sample.timestamp)) ?? sample.value }));
}
