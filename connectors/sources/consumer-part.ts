/** The part of the program that takes deliveries from a source, as its waits name it. A source's lanes name it as theirs. */
export function consumerPart(source: string): string {
  return `consumer ${source}`;
}
