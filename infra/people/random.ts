/**
 * A seeded random number generator (sfc32). This package does not use sin, exp or log, because their results may differ
 * in the last bit between JavaScript engines. A recording must have the same bytes on every machine.
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

  /** Returns a uniform number in [0, 1). */
  uniform(): number {
    return this.word() / 0x1_0000_0000;
  }

  /** Returns a uniform number in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** Returns a whole number from low to high, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.uniform() * (high - low + 1));
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Returns a bell-shaped number within ±3.5, with mean 0 and standard deviation 1: a sum of four uniform numbers. */
  bell(): number {
    return (this.uniform() + this.uniform() + this.uniform() + this.uniform() - 2) * 1.7320508;
  }

  /** Returns one member of the list. Throws {@link RangeError} if the list is empty. */
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

/** Hashes whole numbers to 32 bits: the finalizer of MurmurHash3 over the low and the high half of each number. */
function mix(salt: number, words: readonly number[]): number {
  let hash = salt | 0;
  for (const word of words) {
    for (const half of [word | 0, Math.floor(word / 0x1_0000_0000) | 0]) {
      hash = Math.imul(hash ^ half, 0x85eb_ca6b);
      hash ^= hash >>> 13;
      hash = Math.imul(hash, 0xc2b2_ae35);
      hash ^= hash >>> 16;
    }
  }
  return hash >>> 0;
}

/** Returns a seed of 53 bits for the given numbers. With 32 bits, some of 100,000 people would have the same ids. */
export function seedOf(...words: number[]): number {
  return (mix(0x1319_8a2e, words) & 0x1f_ffff) * 0x1_0000_0000 + mix(0x0370_7344, words);
}

/** Returns the generator for the given numbers. Each day has its own generator, so the draws of one day do not affect other days. */
export function randomOf(...words: number[]): Random {
  return new Random(mix(0x9e37_79b9, words), mix(0x243f_6a88, words), mix(0xb7e1_5162, words));
}

/** The purposes of random values. The number of the purpose is passed to {@link randomOf}, so that no two purposes draw the same values. */
export const stream = {
  roster: 1,
  person: 2,
  bedtime: 3,
  day: 4,
  connection: 5,
  syncs: 6,
  ingestion: 7,
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
} as const;
