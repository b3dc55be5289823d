import type { Deprecation } from './operation.ts';

/** The headers of answers of deprecated operations, with what they mean. */
export const deprecationHeaderMeanings = {
  deprecation: 'When the operation was deprecated (RFC 9745): `@` and the seconds since 1970.',
  sunset: 'From when the operation may be missing (RFC 8594).',
  link: 'Address of the operation that replaces this one (RFC 8288), with relation `successor-version`.',
} as const;

/** When the older headers of management keys were deprecated in favor of `X-Management-Key`. No date is known for their end. */
export const OLD_KEY_HEADER_SINCE = '2025-04-01';

/** Returns the value of the header `Deprecation` for a date. */
export const deprecatedSince = (date: string): string => `@${Date.parse(date) / 1000}`;

/** Returns the headers that announce a deprecation. `params` are the decoded path parameters of the request. */
export function deprecationHeaders(
  { since, until, instead }: Deprecation,
  params: object,
): Record<keyof typeof deprecationHeaderMeanings, string> {
  const values = new Map<string, string>(Object.entries(params));
  const address = instead.split(' ')[1]!.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name)!));
  return {
    deprecation: deprecatedSince(since),
    sunset: new Date(until).toUTCString(),
    link: `<${address}>; rel="successor-version"`,
  };
}
