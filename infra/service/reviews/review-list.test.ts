import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labTests } from '../labs/catalogue.ts';
import { inventedPatient } from './cases.ts';
import { DAY, newResult, resolve, type Sandbox, show, startSandbox } from './reviews.fixture.ts';

/** Makes reviews without the sandbox, all of them at the same time. */
function manyReviews({ service, keys }: Sandbox, count: number): string[] {
  const labTest = labTests[0]!;
  const result = { team_id: keys.team, decision: 'no_match', labTest, interpretation: 'normal', result_status: 'final' } as const;
  return Array.from(
    { length: count },
    (_, number) => service.reviews.create({ ...result, patient: inventedPatient(`${number}`), candidates: [] }).raw_result_id,
  );
}

test('pages of any size have each review once, the newest first, although new ones arrive', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 5 }), async (count, limit) => {
      await using sandbox = await startSandbox();
      const made = manyReviews(sandbox, count);
      const found: string[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const next: string = cursor === null ? '' : `&next_cursor=${cursor}`;
        const { body } = await sandbox.ask('GET', `/v3/unmatched_result?limit=${limit}${next}`);
        expect(body.total).toBe(count + pages);
        found.push(...body.data.map(({ id }: { id: string }) => id));
        cursor = body.next_cursor;
        pages += 1;
        manyReviews(sandbox, 1);
      } while (cursor !== null);
      expect(found).toEqual(made.toReversed());
      expect(pages).toBe(Math.max(1, Math.ceil(count / limit)));
    }),
    { numRuns: 10 },
  );
});

test('filters choose reviews by their decision, laboratory, status, date and patient', async () => {
  await using sandbox = await startSandbox();
  const demo = (await newResult(sandbox, 'match_demo')).id;
  await sandbox.advance(DAY);
  const lab = (await newResult(sandbox, 'wrong_lab')).id;
  await sandbox.advance(DAY);
  const none = (await newResult(sandbox, 'no_match')).id;
  await resolve(sandbox, demo, { action: 'reject' });
  await resolve(sandbox, lab, { action: 'unsure' });
  const { patient } = await show(sandbox, none);
  const born = patient.dob.slice(0, 10);
  const whole = encodeURIComponent(`${patient.first_name} ${patient.last_name}`.toUpperCase());
  const table: [string, string[]][] = [
    ['', [none, lab, demo]],
    ['decision_code=wrong_lab', [lab]],
    ['lab_slug=quest', [none, demo]],
    ['lab_slug=nowhere', []],
    ['status=resolved', [demo]],
    ['status=pending_ops_review', [lab]],
    ['status=pending_customer_review&decision_code=no_match', [none]],
    ['created_at_start=2026-01-11', [none, lab]],
    ['created_at_end=2026-01-11', [lab, demo]],
    ['created_at_start=2026-01-11&created_at_end=2026-01-11', [lab]],
    [`search_input=${born}`, [none]],
    [`search_input=${whole}&decision_code=no_match`, [none]],
    ['search_input=Nobody%25', []],
  ];
  for (const [query, expected] of table) {
    const { body } = await sandbox.ask('GET', `/v3/unmatched_result?${query}`);
    expect([body.data.map(({ id }: { id: string }) => id), body.total], query).toEqual([expected, expected.length]);
  }
  for (const query of ['limit=0', 'limit=501', 'next_cursor=x', 'status=matched', 'decision_code=x', 'created_at_start=x'])
    expect((await sandbox.ask('GET', `/v3/unmatched_result?${query}`)).status, query).toBe(422);
});
