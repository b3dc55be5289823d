import { z } from 'zod';

/**
 * Names that JavaScript still uses, because the ids of the Unicode CLDR never change, with the present names in the IANA
 * database. They are from its files `backward` and `zone.tab`. The CLDR has them as attribute `iana`.
 */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/** Every segment of a name begins with a capital letter. JavaScript also accepts other letter cases, and offsets such as +01:00. */
const NAME = /^[A-Z][^/]*(\/[A-Z][^/]*)*$/;

/**
 * Returns the canonical name of a zone of the IANA database, or undefined if there is none. Each country keeps its own zones, as
 * the database lists them in `zone.tab`: Europe/Oslo stays, although its clocks are those of Berlin. All names of UTC become
 * `UTC`, as in JavaScript.
 */
export function canonicalZone(id: string): string | undefined {
  if (!NAME.test(id)) return undefined;
  try {
    const { timeZone: known } = new Intl.DateTimeFormat('en', { timeZone: id }).resolvedOptions();
    const canonical = renamed[known] ?? known;
    const isOtherCase = [known, canonical].some((name) => name !== id && name.toLowerCase() === id.toLowerCase());
    return isOtherCase ? undefined : canonical;
  } catch {
    return undefined;
  }
}

/** An identifier of the IANA time zone database. It becomes the canonical name of its zone. */
export const timeZoneSchema = z.string().transform((id, context): string => {
  const zone = canonicalZone(id);
  if (zone !== undefined) return zone;
  context.addIssue({ code: 'custom', message: 'not a time zone of the IANA database' });
  return z.NEVER;
});
