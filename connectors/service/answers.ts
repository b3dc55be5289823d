import { z } from 'zod';
import type { CursorPage, GroupedSamples, NumberedPage, SummaryResource } from './operations.ts';
import { cursorOf } from './pages.ts';
import { anyObject, listed, number } from './shapes/leniently.ts';

// Each function here reads one kind of answer. It returns undefined if the content does not have the expected form.

export function one<T extends z.ZodType>(shape: T) {
  return (content: unknown): z.output<T> | undefined => {
    const parsed = shape.safeParse(content);
    return parsed.success ? parsed.data : undefined;
  };
}

/** Reads a page of a list with cursor-based pagination. */
export function cursorPage<T extends z.ZodType>(member: string, shape: T) {
  return (content: unknown): CursorPage<z.output<T>> | undefined => {
    const page = objectOf(content);
    const list = listed(shape, page?.[member]);
    // In older API versions, the field is named `next`, not `next_cursor`.
    return list === undefined ? undefined : { ...list, next: cursorOf(page?.next_cursor) ?? cursorOf(page?.next) };
  };
}

/** Reads a page of a list with numbered pages. */
export function numberedPage<T extends z.ZodType>(member: string, shape: T) {
  return (content: unknown): NumberedPage<z.output<T>> | undefined => {
    const page = objectOf(content);
    const list = listed(shape, page?.[member]);
    return list === undefined ? undefined : { ...list, total: number.parse(page?.total) ?? undefined };
  };
}

/** Reads samples grouped by provider. */
export function groupsOf(content: unknown): GroupedSamples | undefined {
  const page = objectOf(content);
  const parsed = z.record(z.string(), z.array(z.unknown())).safeParse(page?.groups);
  return parsed.success ? { groups: parsed.data, next: cursorOf(page?.next_cursor) ?? cursorOf(page?.next) } : undefined;
}

/** Reads the list of summaries from the field that is named after the resource. For meals, the field name is plural. */
export function summariesOf(resource: SummaryResource, content: unknown): readonly unknown[] | undefined {
  const page = objectOf(content);
  const list = page?.[resource] ?? page?.[`${resource}s`];
  return Array.isArray(list) ? list : undefined;
}

function objectOf(content: unknown): Readonly<Record<string, unknown>> | undefined {
  const parsed = anyObject.safeParse(content);
  return parsed.success ? parsed.data : undefined;
}
