import { z } from 'zod';
import { defaultWindowLimits } from './redelivery-window/entry.ts';
import { destinations } from './router.ts';

/** Configuration `routes`: the stream of each event type. */
export const routesOptions = z
  .array(
    z
      .strictObject({
        prefix: z.string().min(1).describe('Event types that begin with this. The longest prefix wins.'),
        stream: z.enum(destinations).describe('Stream that they go to; `unrouted` keeps them whole and reads nothing.'),
      })
      .describe('One route.'),
  )
  .default([])
  .describe('Routes beside those that the streams declare. A route with the same prefix replaces the declared one.');

/** Configuration `redelivery_window`: how far back the window recognizes a redelivery. */
export const redeliveryWindowOptions = z
  .strictObject({
    offsets: z
      .int()
      .min(0)
      .max(10_000_000)
      .default(defaultWindowLimits.offsets)
      .describe('Offsets of its partition that the window of a delivery reaches back; 0 switches it off.'),
    bytes: z
      .int()
      .positive()
      .default(defaultWindowLimits.bytes)
      .describe('Bytes of uncompressed bodies that the window reaches back at most.'),
    hours: z.number().positive().default(defaultWindowLimits.hours).describe('Hours that the window reaches back at most.'),
  })
  .prefault({})
  .describe('A delivery that its window already holds goes to the stream `redelivered`, and no further.');

/** Configuration `limits`: the most memory that one delivery may take. */
export const limitsOptions = z
  .strictObject({
    body_bytes: z
      .int()
      .positive()
      .default(64 * 1024 * 1024)
      .describe('Most bytes of an uncompressed body; a larger one becomes a dead letter.'),
    document_bytes: z
      .int()
      .positive()
      .default(256 * 1024 * 1024)
      .describe('Most bytes of a JSON document, or a line, in a file: it is held in memory whole.'),
  })
  .prefault({})
  .describe('Limits of what one delivery may cost.');
