import { z } from 'zod';
import type { CursorPage, GroupedSamples, NumberedPage, SummaryResource } from './operations.ts';
import { cursorOf } from './pages.ts';
import { anyObject, listed, number } from './shapes/leniently.ts';

/** How answers are read: each function gives undefined if the content has not the form of one. */

/** A single thing. */
export function one<T extends z.ZodType>(shape: T) {
  return (content: unknown): z.output<T> | undefined => {
    const parsed = shape.safeParse(content);
    return parsed.success ? parsed.data : undefined;
  };
}

/** A page of a list that goes on at a cursor. */
export function cursorPage<T extends z.ZodType>(member: string, shape: T) {
  return (content: unknown): CursorPage<z.output<T>> | undefined => {
    const page = objectOf(content);
    const list = listed(shape, page?.[member]);
    // `next` is the older name of the same.
    return list === undefined ? undefined : { ...list, next: cursorOf(page?.next_cursor) ?? cursorOf(page?.next) };
  };
}

/** A page of a list by its number. */
export function numberedPage<T extends z.ZodType>(member: string, shape: T) {
  return (content: unknown): NumberedPage<z.output<T>> | undefined => {
    const page = objectOf(content);
    const list = listed(shape, page?.[member]);
    return list === undefined ? undefined : { ...list, total: number.parse(page?.total) ?? undefined };
  };
}

/** Samples by provider. */
export function groupsOf(content: unknown): GroupedSamples | undefined {
  const page = objectOf(content);
  const parsed = z.record(z.string(), z.array(z.unknown())).safeParse(page?.groups);
  return parsed.success ? { groups: parsed.data, next: cursorOf(page?.next_cursor) ?? cursorOf(page?.next) } : undefined;
}

/** The list is named like the resource, that of meals in the plural. */
export function summariesOf(resource: SummaryResource, content: unknown): readonly unknown[] | undefined {
  const page = objectOf(content);
  const list = page?.[resource] ?? page?.[`${resource}s`];
  return Array.isArray(list) ? list : undefined;
}

function objectOf(content: unknown): Readonly<Record<string, unknown>> | undefined {
  const parsed = anyObject.safeParse(content);
  return parsed.success ? parsed.data : undefined;
}
