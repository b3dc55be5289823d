import { z } from 'zod';
import { anyObject, id } from './leniently.ts';

/** An order, in the same form as in the events `labtest.order.*`. */
export const order = z.looseObject({ id, user_id: id });
export type Order = z.output<typeof order>;

/** The result of an order. Its fields are parsed when the result is stored. */
export const orderResult = anyObject;
export type OrderResult = z.output<typeof orderResult>;

export const marker = z.looseObject({ id: z.union([z.number(), z.string()]) });
export type Marker = z.output<typeof marker>;

export const labTest = z.looseObject({ id });
export type LabTest = z.output<typeof labTest>;
