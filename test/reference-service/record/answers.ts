import type { Answered } from './row.ts';

/** All dates. */
const RANGE = 'start_date=2000-01-01';

/** Asks the API with the key of a team. */
export class Answers {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** Returns an answer, or undefined if the service does not have what is asked for. */
  async find(path: string): Promise<Answered> {
    const answer = await fetch(`${this.#url}${path}`, { headers: { 'x-service-api-key': this.#key } });
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw new Error(`GET ${path} gave ${answer.status}`);
    return answer.json();
  }

  async get(path: string): Promise<Answered> {
    const answer = await this.find(path);
    if (answer === undefined) throw new Error(`GET ${path} gave 404`);
    return answer;
  }

  /** Returns the pages of a list that has cursors. */
  async pages(path: string): Promise<Answered[]> {
    const pages: Answered[] = [];
    for (let cursor = null; pages.length === 0 || cursor !== null; ) {
      const page = await this.get(`${path}${cursor === null ? '' : `${path.includes('?') ? '&' : '?'}next_cursor=${cursor}`}`);
      pages.push(page);
      cursor = page.next_cursor;
    }
    return pages;
  }

  async summaries(resource: string, user: string): Promise<Answered[]> {
    const answer = await this.get(`/v2/summary/${resource}/${user}?${RANGE}`);
    return answer[resource === 'meal' ? 'meals' : resource];
  }

  /** Returns the samples of a user by source. */
  async groups(resource: string, user: string): Promise<{ source: Answered; data: Answered[] }[]> {
    const pages = await this.pages(`/v2/timeseries/${user}/${resource}/grouped?${RANGE}`);
    return pages.flatMap(({ groups }) => Object.values(groups as Record<string, Answered[]>).flat());
  }
}
