import { z } from 'zod';
import { idSchema, momentSchema, offsetSchema, oneOf } from './values.ts';

/** `discrete` has a timestamp, `interval` a start and an end. `blood_pressure` is discrete, and has two values. `note` is a text. */
export type SampleShape = 'discrete' | 'interval' | 'blood_pressure' | 'note';

/** The facts of one resource that decide the form of its samples. */
export interface SampleFacts {
  /** As in event types, such as `heartrate`. */
  readonly name: string;
  readonly shape: SampleShape;
  readonly unit: string;
  /** Whether the service may also send another unit. Default: false. */
  readonly isUnitOpen?: true;
  /** The known types of samples, if each sample has a type. */
  readonly types?: readonly string[];
  /** Whether the type may be null although samples have types. Default: false. */
  readonly isTypeNullable?: true;
  /** Members that only this resource has, or has in a form of its own. */
  readonly members?: Readonly<Record<string, z.ZodType>>;
}

/** Returns the form of one sample. */
export function sampleForm(facts: SampleFacts): z.ZodObject {
  const { name, unit, isUnitOpen, shape, members } = facts;
  return z
    .strictObject({
      id: z.int().nullish().meta({ deprecated: true }),
      timezone_offset: offsetSchema,
      type: typeForm(facts),
      unit: isUnitOpen ? oneOf(unit) : z.literal(unit),
      ...(shape === 'discrete' || shape === 'blood_pressure' ? momentMembers : intervalMembers),
      ...valueMembers(facts),
      ...members,
    })
    .meta({ id: `${componentName(name)}Sample` });
}

/** Returns a resource's name as the OpenAPI document writes it: `body_fat` is `BodyFat`. */
export function componentName(resource: string): string {
  return resource.replaceAll(/(?:^|_)([a-z0-9])/g, (_, first: string) => first.toUpperCase());
}

const momentMembers = { timestamp: momentSchema };
const intervalMembers = {
  start: momentSchema.describe('The first instant of the interval.'),
  end: momentSchema.describe('The first instant after the interval.'),
  timestamp: momentSchema.optional().meta({ deprecated: true, description: 'Equals start.' }),
};

/** Source type, workout, sport and device of a blood pressure. */
const groupingSchema = z.tuple([
  z.string(),
  idSchema.nullable().optional(),
  z.string().nullable().optional(),
  idSchema.nullable().optional(),
]);

function typeForm({ types, isTypeNullable }: SampleFacts): z.ZodType {
  if (types === undefined) return z.string().nullish();
  const form = types.length === 0 ? z.string() : oneOf(...types);
  return isTypeNullable ? form.nullable() : form;
}

function valueMembers({ shape, unit }: SampleFacts): Record<string, z.ZodType> {
  if (shape === 'note') return { value: z.string() };
  const number = z.number().describe(unit);
  if (shape !== 'blood_pressure') return { value: number };
  return {
    systolic: number,
    diastolic: number,
    grouping: groupingSchema.optional().describe('Source type, workout id, sport and device id.'),
  };
}
