import type { Deprecation } from './operation.ts';

/** The headers of answers of deprecated operations, with what they mean. */
export const deprecationHeaderMeanings = {
  deprecation: 'When the operation was deprecated (RFC 9745): `@` and the seconds since 1970.',
  sunset: 'From when the operation may be missing (RFC 8594).',
  link: 'Address of the operation that replaces this one (RFC 8288), with relation `successor-version`.',
} as const;

/** Returns the headers that announce a deprecation. `params` are the decoded path parameters of the request. */
export function deprecationHeaders(
  { since, until, instead }: Deprecation,
  params: object,
): Record<keyof typeof deprecationHeaderMeanings, string> {
  const values = new Map<string, string>(Object.entries(params));
  const address = instead.split(' ')[1]!.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name)!));
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(until).toUTCString(),
    link: `<${address}>; rel="successor-version"`,
  };
}
