import { z } from 'zod';
import { defaultWindowLimits } from './redelivery-window/entry.ts';
import { destinations } from './router.ts';

/** The `routes` section of the configuration, which assigns event types to streams. */
export const routesOptions = z
  .array(
    z
      .strictObject({
        prefix: z
          .string()
          .min(1)
          .describe(
            'Event types that start with this prefix. The longest matching prefix decides. Types with an ending that the stream does not read are `unrouted`, unless the prefix is the whole type.',
          ),
        stream: z
          .enum(destinations)
          .describe('Stream for these event types. `unrouted` keeps whole deliveries without reading them.'),
      })
      .describe('One route.'),
  )
  .default([])
  .describe('Routes in addition to those that the streams declare. A route with the same prefix replaces the declared one.');

/** The `redelivery_window` section of the configuration, which sets how far back Aorta recognizes redeliveries. */
export const redeliveryWindowOptions = z
  .strictObject({
    offsets: z
      .int()
      .min(0)
      .max(10_000_000)
      .default(defaultWindowLimits.offsets)
      .describe('Size of the window, in offsets of a partition; 0 disables it.'),
    bytes: z.int().positive().default(defaultWindowLimits.bytes).describe('Maximum bytes of uncompressed bodies in the window.'),
    hours: z
      .number()
      .positive()
      .default(defaultWindowLimits.hours)
      .describe('Length of the window in hours, counted back from the receipt of the delivery.'),
  })
  .prefault({})
  .describe(
    'The redelivery window: if a delivery repeats an earlier one within this window, Aorta writes it only to the stream `redelivered`.',
  );

/** The `limits` section of the configuration, which sets size limits for a single delivery. */
export const limitsOptions = z
  .strictObject({
    body_bytes: z
      .int()
      .positive()
      .default(64 * 1024 * 1024)
      .describe('Maximum bytes of an uncompressed body. A larger body becomes a dead letter.'),
    document_bytes: z
      .int()
      .positive()
      .default(256 * 1024 * 1024)
      .describe('Maximum bytes of a JSON document or a line in a file. Aorta holds the whole document or line in memory.'),
  })
  .prefault({})
  .describe('Limits for one delivery.');
