import { z } from 'zod';

/** `service`: the service's REST API, from which is fetched what events do not say. */
export const serviceOptions = z
  .strictObject({
    base_url: z
      .url({ protocol: /^https?$/, error: 'not an address such as https://api.example.com' })
      .describe('Address that the paths of the API are relative to, as the service names it for your region and environment.'),
    key: z.string().min(1).describe('Team API key. A secret: take it from the environment.'),
    key_header: z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'not the name of a header' })
      .default('x-service-api-key')
      .describe('Header that carries the key, as the pages of the service name it.'),
    deadline_s: z.number().positive().max(600).default(30).describe('One call may take so long.'),
    deadline_total_s: z
      .number()
      .positive()
      .max(3600)
      .default(120)
      .describe('A call with all its repetitions, and what the service asks to wait between them, may take so long.'),
    concurrency: z.int().min(1).max(64).default(4).describe('Calls at the same time at most.'),
    answer_bytes: z
      .int()
      .min(65_536)
      .default(64 * 1024 * 1024)
      .describe('Most bytes of one answer: it is held in memory whole.'),
  })
  .describe('The REST API of the service.');

export type ServiceOptions = z.input<typeof serviceOptions>;
export type ServiceSettings = z.output<typeof serviceOptions>;
