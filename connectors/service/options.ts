import { secret } from '@aorta/runtime';
import { z } from 'zod';

const pace = (seconds: number) => z.int().min(0).max(2_592_000).default(seconds);

/** Schema of the `service` setting: how to reach the service's REST API, which supplies data that events do not contain. */
export const serviceOptions = z
  .strictObject({
    base_url: z
      .url({ protocol: /^https?$/, error: 'not an address such as https://api.example.com' })
      .describe('Base URL of the API for your region and environment, without the version.'),
    key: secret('Team API key. A secret: take it from the environment.').regex(/^[\x20-\x7e]+$/, {
      error: 'not a value of an HTTP header: it has a line break or another character that is not ASCII',
    }),
    key_header: z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'not a header name' })
      .default('x-service-api-key')
      .describe('Name of the header that carries the key (see the documentation of the service).'),
    deadline_s: z.number().positive().max(600).default(30).describe('Seconds until a call times out.'),
    deadline_total_s: z
      .number()
      .positive()
      .max(3600)
      .default(120)
      .describe('Seconds until a call times out, including its retries and the pauses that the service asks for.'),
    concurrency: z.int().min(1).max(64).default(4).describe('Maximum number of concurrent calls.'),
    answer_bytes: z
      .int()
      .min(65_536)
      .default(64 * 1024 * 1024)
      .describe('Maximum bytes of one answer. Aorta holds the whole answer in memory.'),
    fetch: z
      .strictObject({
        workout_streams: z
          .boolean()
          .default(true)
          .describe('Whether to fetch the points of a workout when an event announces them.'),
        lab_results: z
          .boolean()
          .default(true)
          .describe('Whether to fetch the results of a lab order when some or all of them are available.'),
        users_s: pace(3600).describe('Seconds between two fetches of all users and their connections.'),
        lab_catalogue_s: pace(86_400).describe('Seconds between two fetches of the markers and lab tests.'),
        completeness_s: pace(21_600).describe('Seconds between two checks of what the service has sent for each user.'),
      })
      .prefault({})
      .describe('The data that `aorta run` fetches from the service. 0 or `false` turns a fetch off.'),
  })
  .describe('The REST API of the service.');

export type ServiceOptions = z.input<typeof serviceOptions>;
export type ServiceSettings = z.output<typeof serviceOptions>;
