const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** E.164: a plus sign, and at most 15 digits. Without the plus sign, digits are a legitimate id. */
const PHONE = /^\+[1-9]\d{1,14}$/;

/** Returns why a client user id is refused, or undefined. It must not identify a person, and a message must not repeat it. */
export function clientUserIdProblem(id: string): string | undefined {
  if (id.trim() === '') return 'client_user_id must not be empty';
  if (EMAIL.test(id)) return 'client_user_id must not be an email address';
  if (PHONE.test(id)) return 'client_user_id must not be a phone number';
  return undefined;
}
