/**
 * A seeded random number generator (sfc32). The same seed must give the same bytes on every machine. Therefore, this
 * package does not use sin, exp or log, whose results may differ in the last bit between JavaScript engines.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(a: number, b: number, c: number) {
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    for (let i = 0; i < 12; i++) this.word();
  }

  /** Returns the next 32 bits as an unsigned integer. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Returns a uniformly distributed random number in [0, 1). */
  uniform(): number {
    return this.word() / 0x1_0000_0000;
  }

  /** Returns a uniformly distributed random number in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** Returns a random integer from low to high, inclusive. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.uniform() * (high - low + 1));
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /**
   * Returns an approximately normally distributed number with mean 0 and standard deviation 1, computed from four uniform
   * numbers. It always lies within ±3.5.
   */
  bell(): number {
    return (this.uniform() + this.uniform() + this.uniform() + this.uniform() - 2) * 1.7320508;
  }

  /** Returns a random element of the list. Throws {@link RangeError} if the list is empty. */
  pick<T>(list: readonly T[]): T {
    const chosen = list[Math.floor(this.uniform() * list.length)];
    if (chosen === undefined) throw new RangeError('cannot pick from an empty list');
    return chosen;
  }

  /** Returns a shuffled copy of the list (Fisher–Yates). */
  shuffled<T>(list: readonly T[]): T[] {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = Math.floor(this.uniform() * (i + 1));
      [copy[i], copy[j]] = [copy[j]!, copy[i]!];
    }
    return copy;
  }
}

/** Hashes integers to 32 bits. Applies the finalizer of MurmurHash3 to the low half and the high half of each number. */
function mix(salt: number, words: readonly number[]): number {
  let hash = salt | 0;
  for (const word of words) hash = finalized(finalized(hash ^ (word | 0)) ^ (Math.floor(word / 0x1_0000_0000) | 0));
  return hash >>> 0;
}

function finalized(given: number): number {
  let hash = Math.imul(given, 0x85eb_ca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

/**
 * Returns a 53-bit seed for the given numbers. If seeds had only 32 bits, some of 100,000 people would probably have the
 * same seed, and therefore the same ids.
 */
export function seedOf(...words: number[]): number {
  return (mix(0x1319_8a2e, words) & 0x1f_ffff) * 0x1_0000_0000 + mix(0x0370_7344, words);
}

/**
 * Returns a random number generator that is seeded with the given numbers. Each day has its own generator, so the values
 * drawn for one day do not affect other days.
 */
export function randomOf(...words: number[]): Random {
  return new Random(mix(0x9e37_79b9, words), mix(0x243f_6a88, words), mix(0xb7e1_5162, words));
}

/**
 * Numbers that identify what random values are used for. Callers pass one of them to {@link randomOf}, so that different
 * purposes draw different values.
 */
export const stream = {
  roster: 1,
  person: 2,
  bedtime: 3,
  day: 4,
  connection: 5,
  syncs: 6,
  visit: 7,
  heartRate: 8,
  steps: 9,
  sleep: 10,
  activity: 11,
  glucose: 12,
  bloodPressure: 13,
  history: 14,
  faults: 15,
  identifier: 16,
  summary: 17,
  nap: 18,
  team: 19,
  wearer: 20,
  workout: 21,
  weighIn: 22,
  night: 23,
  physique: 24,
  reading: 25,
  form: 26,
} as const;

const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function wordText(word: number): string {
  return (
    hexadecimal[word >>> 24]! + hexadecimal[(word >>> 16) & 255]! + hexadecimal[(word >>> 8) & 255]! + hexadecimal[word & 255]!
  );
}

function uuid(random: Random, version: 4 | 5): string {
  const [a, b, c, d] = [random.word(), random.word(), random.word(), random.word()];
  const second = wordText((b & 0xffff_0fff) | (version << 12));
  const third = wordText((c & 0x3fff_ffff) | 0x8000_0000);
  return `${wordText(a)}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${wordText(d)}`;
}

/** Draws a version 4 UUID. Users, teams, devices and deliveries have ids of this form. */
export function freshUuid(random: Random): string {
  return uuid(random, 4);
}

/**
 * Returns a UUID in version 5 form. The same numbers always give the same UUID, so all versions of a summary have the
 * same id.
 */
export function stableUuid(...words: number[]): string {
  return uuid(randomOf(stream.identifier, ...words), 5);
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Generates an id like those that customers assign to their users. Customers may use any string. The published examples
 * are a UUID, a ULID and a base64 string.
 */
export function customerId(random: Random): string {
  const form = random.whole(0, 2);
  if (form === 0) return freshUuid(random);
  if (form === 1) return `01${Array.from({ length: 24 }, () => crockford[random.whole(0, 31)]).join('')}`;
  const bytes = Buffer.alloc(16);
  for (let i = 0; i < 16; i += 4) bytes.writeUInt32LE(random.word(), i);
  return bytes.toString('base64');
}

/** Hashes an id to 32 bits (FNV-1a over its characters). A user's hash determines the partition. */
export function scatter(text: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  // The low bits determine the partition, but FNV-1a distributes them poorly for strings of equal length.
  return (hash ^ (hash >>> 15)) >>> 0;
}
