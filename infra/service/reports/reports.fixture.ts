import type { createApi } from '../api/server.ts';

/** The beginnings of the three kinds of files, from their specifications. */
export const PDF = Buffer.from('%PDF-1.7\n% a report');
export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
export const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);

/** Returns a form with a report, as a client sends it. */
export function formWith(user: string, files: readonly (Buffer | File)[], needsHumanReview?: string): FormData {
  const form = new FormData();
  for (const file of files) form.append('file', file instanceof File ? file : new File([file], 'report'));
  form.append('user_id', user);
  if (needsHumanReview !== undefined) form.append('needs_human_review', needsHumanReview);
  return form;
}

/** Sends a form to the operation that starts a parsing job. */
export async function upload(app: ReturnType<typeof createApi>, key: string, form: FormData) {
  const encoded = new Response(form);
  const answer = await app.inject({
    method: 'POST',
    url: '/lab_report/v1/parser/job',
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'x-service-api-key': key, 'content-type': encoded.headers.get('content-type')! },
  });
  return { status: answer.statusCode, body: answer.json() };
}
