import { getDocumentProxy } from 'unpdf';

interface ReadText {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Distances from the lower end of the page, of the box that capital letters and descenders fill. */
  readonly bottom: number;
  readonly top: number;
}

export interface ReadPage {
  readonly width: number;
  readonly height: number;
  readonly texts: readonly ReadText[];
  /** All texts of the page, with single spaces. */
  readonly words: string;
}

/** Reads the pages of a PDF file with PDF.js, which shares no code with pdfkit. */
export async function readPdf(file: Buffer): Promise<ReadPage[]> {
  const document = await getDocumentProxy(new Uint8Array(file), { verbosity: 0 });
  const pages = Array.from({ length: document.numPages }, async (_, index): Promise<ReadPage> => {
    const page = await document.getPage(index + 1);
    const { items } = await page.getTextContent();
    const texts = items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return [];
      const [, , , size, left, baseline] = item.transform as number[];
      return [
        {
          text: item.str,
          left: left!,
          right: left! + item.width,
          bottom: baseline! - 0.22 * size!,
          top: baseline! + 0.72 * size!,
        },
      ];
    });
    const [, , width, height] = page.view;
    return {
      width: width!,
      height: height!,
      texts,
      words: wordsOf(texts),
    };
  });
  return Promise.all(pages);
}

/** PDF.js returns a word of two fonts as two texts, so texts without a gap between them are one word. */
function wordsOf(texts: readonly ReadText[]): string {
  const joined = texts.map(({ text, left, bottom }, index) => {
    const before = texts[index - 1];
    const touches = before !== undefined && Math.abs(left - before.right) < 0.5 && Math.abs(bottom - before.bottom) < 0.5;
    return touches ? text : ` ${text}`;
  });
  return joined.join('').replace(/\s+/g, ' ').trim();
}

/** Returns the texts that leave the margins, and the pairs of texts that overlap. Half a point is invisible. */
export function misplaced(pages: readonly ReadPage[]): string[] {
  const margin = 36;
  return pages.flatMap(({ width, height, texts }) => [
    ...texts
      .filter(({ left, right, bottom, top }) => left < margin || right > width - margin || bottom < 24 || top > height - 24)
      .map(({ text }) => `outside: ${text}`),
    ...texts.flatMap((one, index) =>
      texts
        .slice(index + 1)
        .filter((other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5)
        .filter((other) => Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom) > 0.5)
        .map((other) => `overlap: ${one.text} | ${other.text}`),
    ),
  ]);
}
