import { z } from 'zod';
import { sampleFacts } from './sample-facts.ts';
import { componentName, type SampleFacts, type SampleShape, sampleForm } from './sample-form.ts';
import { sourceSchema } from './source-form.ts';

/** A resource whose events carry samples. */
export interface TimeseriesResource {
  /** As in event types, such as `fat`. */
  readonly name: string;
  /** As in paths of the API, such as `body_fat`. */
  readonly apiName: string;
  /** The unit that the service documents. */
  readonly unit: string;
  readonly shape: SampleShape;
  /** Whether the type is part of a sample's key. */
  readonly hasTypes: boolean;
  /** The form of one sample. It has no unknown members. */
  readonly form: z.ZodObject;
  /** The form of the samples of one source: an object with `source` and `data`. */
  readonly batchForm: z.ZodObject;
}

/** The resources whose paths differ from their event types. */
const apiNames: Readonly<Record<string, string>> = { fat: 'body_fat', weight: 'body_weight' };

/** The 50 timeseries resources, sorted by name. */
export const timeseriesResources: readonly TimeseriesResource[] = sampleFacts.map(resourceOf);

const byName = new Map(timeseriesResources.map((resource) => [resource.name, resource]));

/** Returns the resource with this name in event types. */
export function timeseriesOf(name: string): TimeseriesResource | undefined {
  return byName.get(name);
}

function resourceOf(facts: SampleFacts): TimeseriesResource {
  const { name, unit, shape, types } = facts;
  const apiName = apiNames[name] ?? name;
  const form = sampleForm({ ...facts, name: apiName });
  const batchForm = z
    .strictObject({ source: sourceSchema, data: z.array(form) })
    .meta({ id: `Grouped${componentName(apiName)}` });
  return { name, apiName, unit, shape, hasTypes: types !== undefined, form, batchForm };
}
