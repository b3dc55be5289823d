/** A line of a file. `number` starts at 1. `bytes` excludes the line end, and is null if the line exceeds the limit. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer | null;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** Splits chunks of bytes into lines (LF or CRLF). A line of up to `limit` bytes is held in memory. */
export class LineSplitter {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #held = 0;
  #tooLong = false;
  #number = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the lines that end in this chunk. The lines may share the chunk's memory. */
  push(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const rest = chunk.subarray(start, end);
      lines.push(this.#held === 0 && !this.#tooLong ? this.#line(rest) : this.#join(rest));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
    return lines;
  }

  /** Returns the last line if it has no line end. */
  end(): Line | undefined {
    return this.#held === 0 && !this.#tooLong ? undefined : this.#join(Buffer.alloc(0));
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > this.#limit) {
      this.#tooLong = true;
      this.#parts = [];
    }
    if (!this.#tooLong) this.#parts.push(part);
  }

  #join(rest: Buffer): Line {
    this.#hold(rest);
    const line = this.#tooLong ? this.#line(null) : this.#line(Buffer.concat(this.#parts));
    this.#parts = [];
    this.#held = 0;
    this.#tooLong = false;
    return line;
  }

  #line(bytes: Buffer | null): Line {
    this.#number += 1;
    if (bytes === null || bytes.length > this.#limit) return { number: this.#number, bytes: null };
    const last = bytes.length - 1;
    return { number: this.#number, bytes: bytes[last] === CARRIAGE_RETURN ? bytes.subarray(0, last) : bytes };
  }
}

/** Whether a line consists only of white space. */
export function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 32 && byte !== 9 && byte !== 13) return false;
  return true;
}
