import { z } from 'zod';

/**
 * An id in a request: any UUID, because ids of scripted data may have no valid version. Letter case does not matter (RFC 9562,
 * section 4), so the id is in the form in which the service stores it: in lower case.
 */
export const uuidSchema = z.guid('Invalid UUID').toLowerCase();
