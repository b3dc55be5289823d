import { z } from 'zod';

/* The forms of the members of endpoints, on the control port and in the management API. */

export const urlSchema = z.url({ protocol: /^https?$/ });

const LONGEST_EVENT_TYPE = 256;
/** Svix allows these names. */
export const eventTypesSchema = z.array(
  z
    .string()
    .regex(/^[a-zA-Z0-9\-_.]+$/, 'not the name of an event type')
    .max(LONGEST_EVENT_TYPE),
);

export const secretSchema = z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'not whsec_ and base64');

/** The service itself sets these. */
const ownHeader = /^(svix-.*|content-(type|length)|transfer-encoding|connection|host)$/;
export const headersSchema = z.record(
  z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9!#$%&'*+.^_`|~-]+$/, 'not the name of a header')
    .refine((name) => !ownHeader.test(name), 'a header that the service sets'),
  z.string().regex(/^[\x20-\x7e]*$/, 'not the value of a header'),
);
