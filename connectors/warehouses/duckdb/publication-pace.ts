/** For so many times as long as the last publication took there is none: they take a hundredth of the time. */
const REST = 99;

/** When the readers' copy is behind, and when the next one is due. */
export class PublicationPace {
  readonly #everyMs: number;
  /** The copy may be behind: at the start nobody knows, so the first publication asked for is made. */
  #behind = true;
  /** Something was merged since the start, or opening changed tables or views: before that nothing comes due, but for the first copy, without which readers have nothing. */
  #news: boolean;
  #last: { readonly at: number; readonly took: number } | undefined;

  /** `everyMs`: milliseconds between publications at least. `news`: opening changed tables or views. */
  constructor(everyMs: number, news: boolean) {
    this.#everyMs = everyMs;
    this.#news = news;
  }

  get behind(): boolean {
    return this.#behind;
  }

  merged(): void {
    this.#behind = true;
    this.#news = true;
  }

  /** Tables were changed by other means than merging: whoever did that publishes. */
  changed(): void {
    this.#behind = true;
  }

  /** A copy was begun and came to stand at these times, in milliseconds since 1970. */
  published(begun: number, ended: number): void {
    this.#last = { at: ended, took: ended - begun };
    this.#behind = false;
  }

  /** Whether to publish at `now`. `isThere` says whether readers have a copy at all. */
  isDue(now: number, isThere: () => boolean): boolean {
    const dueAt = this.dueAt(isThere);
    return dueAt !== undefined && now >= dueAt;
  }

  /** When to publish next, in milliseconds since 1970: 0 for at once, undefined if there is nothing new. */
  dueAt(isThere: () => boolean): number | undefined {
    if (!this.#behind || (!this.#news && isThere())) return undefined;
    return this.#last === undefined ? 0 : this.#last.at + Math.max(this.#everyMs, this.#last.took * REST);
  }
}
