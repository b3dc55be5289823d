/**
 * Implements CRC-64-AVRO (Rabin), as in "Schema Fingerprints" in the Avro specification. The CRC is computed in two
 * halves because JavaScript's bitwise operators work on 32 bits.
 */

const EMPTY_HIGH = 0xc15d213a;
const EMPTY_LOW = 0xa4d7a795;

const tableHigh = new Uint32Array(256);
const tableLow = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let high = 0;
  let low = byte;
  for (let bit = 0; bit < 8; bit++) {
    const odd = low & 1;
    low = ((low >>> 1) | (high << 31)) >>> 0;
    high >>>= 1;
    if (odd === 1) {
      high = (high ^ EMPTY_HIGH) >>> 0;
      low = (low ^ EMPTY_LOW) >>> 0;
    }
  }
  tableHigh[byte] = high;
  tableLow[byte] = low;
}

/** Returns the fingerprint of a schema in canonical form: 8 bytes, little endian, as in the single-object encoding. */
export function fingerprint(canonical: string): Buffer {
  let high = EMPTY_HIGH;
  let low = EMPTY_LOW;
  for (const byte of Buffer.from(canonical, 'utf8')) {
    const index = (low ^ byte) & 0xff;
    low = (((low >>> 8) | (high << 24)) ^ tableLow[index]!) >>> 0;
    high = ((high >>> 8) ^ tableHigh[index]!) >>> 0;
  }
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(low, 0);
  bytes.writeUInt32LE(high, 4);
  return bytes;
}
