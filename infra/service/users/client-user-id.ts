import { z } from 'zod';

/** Most characters of a client user id. With more, its path would be longer than what usual servers accept. */
const MOST_CHARACTERS = 512;

/** Also within other text, such as `Jane <jane@example.com>`. */
const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]+/;
/** Schemes of addresses (RFC 6068, RFC 3966, RFC 5724). */
const ADDRESS = /^(mailto|tel|sms):/i;
/** E.164: a plus sign, and at most 15 digits. Without the plus sign, digits are a legitimate id. */
const PHONE = /^\+[1-9]\d{1,14}$/;
/** A number of the North American plan without a country: (415) 555-2671. */
const NATIONAL_PHONE = /^(\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/;
/** What people write between the digits of a phone number, and the zero that is not dialled from abroad. */
const SEPARATORS = /\(0\)|[\s().\-/\u2010-\u2015]/g;

/**
 * Returns why a client user id is refused, or undefined. It must not identify a person, and a message must not repeat it. It is
 * part of paths, so a client must be able to write it into one.
 */
export function clientUserIdProblem(id: string): string | undefined {
  if (!id.isWellFormed()) return 'client_user_id must not be text with half of a surrogate pair';
  if ([...id].length > MOST_CHARACTERS) return `client_user_id must not be longer than ${MOST_CHARACTERS} characters`;
  // Clients remove these segments from paths (RFC 3986, 5.2.4).
  if (id === '.' || id === '..') return 'client_user_id must not be a dot segment of a path';
  // Full-width characters stand for their usual forms.
  const text = id.normalize('NFKC').trim();
  if (text === '') return 'client_user_id must not be empty';
  if (EMAIL.test(text)) return 'client_user_id must not be an email address';
  if (ADDRESS.test(text)) return 'client_user_id must not be an address';
  if (PHONE.test(text.replaceAll(SEPARATORS, '')) || NATIONAL_PHONE.test(text))
    return 'client_user_id must not be a phone number';
  return undefined;
}

/** A client user id that a team can choose. */
export const clientUserIdSchema = z
  .string()
  .superRefine((id, context) => {
    const problem = clientUserIdProblem(id);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  // The form of JSON Schema counts characters, and that of zod counts UTF-16 code units.
  .meta({ minLength: 1, maxLength: MOST_CHARACTERS });
