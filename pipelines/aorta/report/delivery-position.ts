import type { Receipt } from '@aorta/schemas';

/** The place of a delivery in its source. */
export type DeliveryPosition = Pick<Receipt, 'source' | 'partition' | 'offset'>;

/**
 * Characters that are escaped: all that a shell could interpret, and all that a reader cannot see. The names of hubs
 * and topics contain none of them.
 */
const escaped = /[^\p{L}\p{M}\p{N}/._:+=@-]|\p{Default_Ignorable_Code_Point}/gu;

function withEscapes(name: string): string {
  return name.replace(escaped, percentEncoded);
}

function percentEncoded(sign: string): string {
  return Buffer.from(sign, 'utf8')
    .toString('hex')
    .toUpperCase()
    .replace(/../g, (byte) => `%${byte}`);
}

/**
 * Formats a position as `SOURCE/PARTITION/OFFSET`, such as `azure/health-events/3/41`, for every command that prints one. The
 * source ends at the first slash, and the offset begins after the last one. So a partition keeps its slashes, and a slash in the
 * name of a source is `%2F`. Other characters are escaped so that a shell reads the text as one word and no command takes it
 * for an option.
 */
export function positionText({ source, partition, offset }: DeliveryPosition): string {
  const name = withEscapes(source).replaceAll('/', '%2F').replace(/^-/, '%2D');
  return `${name}/${withEscapes(partition)}/${offset}`;
}

/** Parses a text that {@link positionText} has printed, or one with fewer escapes. Returns undefined for any other text. */
export function parsePosition(text: string): DeliveryPosition | undefined {
  const [, source, partition, digits] = /^([^/]*)\/(.*)\/(\d+)$/s.exec(text) ?? [];
  const offset = Number(digits);
  if (source === undefined || partition === undefined || !Number.isSafeInteger(offset)) return undefined;
  try {
    return { source: decodeURIComponent(source), partition: decodeURIComponent(partition), offset };
  } catch {
    return undefined;
  }
}
