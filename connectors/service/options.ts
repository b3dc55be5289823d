import { z } from 'zod';

const pace = (seconds: number) => z.int().min(0).max(2_592_000).default(seconds);

/** Schema of `service`: the service's REST API, which supplies data that events lack. */
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
    fetch: z
      .strictObject({
        workout_streams: z.boolean().default(true).describe('The points of a workout, when an event says that there are some.'),
        lab_results: z.boolean().default(true).describe('The results of an order, when it completes or has a part of them.'),
        users_s: pace(3600).describe('Seconds between two looks at the list of users, and at their connections.'),
        lab_catalogue_s: pace(86_400).describe('Seconds between two looks at the markers and lab tests.'),
        completeness_s: pace(21_600).describe('Seconds between two looks at what the service has sent of every user.'),
      })
      .prefault({})
      .describe('What `aorta run` fetches beside its sources. 0 seconds, or false, switches it off.'),
  })
  .describe('The REST API of the service.');

export type ServiceOptions = z.input<typeof serviceOptions>;
export type ServiceSettings = z.output<typeof serviceOptions>;
