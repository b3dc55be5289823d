import { z } from 'zod';

/** White space and invisible characters, such as the line end of a file, a byte order mark or a zero-width space. */
const AROUND = /^[\s\p{Z}\p{Cc}\p{Cf}]+|[\s\p{Z}\p{Cc}\p{Cf}]+$/gu;

const QUOTE = '["\'`´“”„‟‘’‚‛«»‹›「」]';
const QUOTED = new RegExp(`^\\\\?${QUOTE}.*\\\\?${QUOTE}$`, 'su');

const QUOTES_AROUND = 'the value has quotes around it; remove them';

/** Removes the white space around a secret, which comes from files and from copying. */
function bareSecret(text: string): string {
  return text.replace(AROUND, '');
}

/**
 * Returns a secret from a place other than the configuration, such as a file, by the rule of {@link secret}. If the secret
 * is in quotes, throws the error that `refused` creates. The problem passed to `refused` does not contain the value.
 */
export function secretText(text: string, refused: (problem: string) => Error): string {
  const bare = bareSecret(text);
  // Such quotes can come from an `.env` file that a program does not read as a shell does.
  if (QUOTED.test(bare)) throw refused(QUOTES_AROUND);
  return bare;
}

const httpAddress = z.url({ protocol: /^https?$/ });

/** Returns whether a text is an HTTP URL. Checks a {@link secret} that is a URL. */
export const isHttpAddress = (text: string): boolean => httpAddress.safeParse(text).success;

/**
 * Returns the schema of a secret in the configuration, and of a name or certificate that belongs to it. Every secret follows one
 * rule: white space around it is ignored, and a value in quotes is refused. The editor's schema marks a secret with `writeOnly`.
 */
export function secret(description: string): z.ZodString {
  return z
    .string()
    .overwrite(bareSecret)
    .min(1, { abort: true })
    .refine((text) => !QUOTED.test(text), {
      error: QUOTES_AROUND,
      abort: true,
      params: { hint: 'Such quotes usually belong to the syntax of a file, such as .env, and not to the secret.' },
    })
    .meta({ description, writeOnly: true });
}
