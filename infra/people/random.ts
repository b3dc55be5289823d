/**
 * A small seeded generator (sfc32). Only integer arithmetic, + - * / and square roots are used anywhere in this package: those are
 * fixed by IEEE 754 and the language, while sin, exp and log may differ in the last bit from one engine to the next.
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

  /** The next 32 bits, as an unsigned integer. */
  word(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    return this.word() / 0x1_0000_0000;
  }

  /** Uniform in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** A whole number from low to high, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.uniform() * (high - low + 1));
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Bell-shaped, mean 0, standard deviation 1, never beyond ±3.5: a sum of four uniforms. */
  bell(): number {
    return (this.uniform() + this.uniform() + this.uniform() + this.uniform() - 2) * 1.7320508;
  }

  /** One member of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    const chosen = list[Math.floor(this.uniform() * list.length)];
    if (chosen === undefined) throw new RangeError('cannot pick from an empty list');
    return chosen;
  }

  /** A copy of the list in another order (Fisher–Yates). */
  shuffled<T>(list: readonly T[]): T[] {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = Math.floor(this.uniform() * (i + 1));
      [copy[i], copy[j]] = [copy[j]!, copy[i]!];
    }
    return copy;
  }
}

/** Scatters whole numbers into 32 bits (the finaliser of MurmurHash3 over each word, low and high half). */
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

/** A seed of 53 bits made from words: with 32, two of a hundred thousand people would share their ids. */
export function seedOf(...words: number[]): number {
  return (mix(0x1319_8a2e, words) & 0x1f_ffff) * 0x1_0000_0000 + mix(0x0370_7344, words);
}

/** A generator that belongs to the given words alone: what is drawn for one day never depends on what was drawn before it. */
export function randomOf(...words: number[]): Random {
  return new Random(mix(0x9e37_79b9, words), mix(0x243f_6a88, words), mix(0xb7e1_5162, words));
}

/** Names for the streams of one person, so that two concerns never draw the same numbers. */
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
