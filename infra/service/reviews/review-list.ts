import { z } from 'zod';
import type { Cursors } from '../api/cursor.ts';
import { boundSchema, decimal } from '../api/parameters.ts';
import { laboratories } from '../labs/catalogue.ts';
import type { State } from '../state.ts';
import { decisionCodes } from './cases.ts';
import type { ReviewRow } from './review-forms.ts';

const MOST_ON_A_PAGE = 500;
/** The scope of the cursors. */
const SCOPE = 'unmatched results';

/** The query of a list of reviews. A filter that is not given lets all reviews pass. */
export function reviewsQuery(cursors: Cursors) {
  return z.object({
    limit: decimal(z.int().min(1).max(MOST_ON_A_PAGE)).default(50),
    next_cursor: cursors
      .schema<[number: number]>(SCOPE, z.tuple([z.int()]))
      .optional()
      .describe('Cursor of the page before. Default: the first page.'),
    decision_code: z.enum(decisionCodes).optional(),
    lab_slug: z.string().optional(),
    status: z.enum(['pending_customer_review', 'pending_ops_review', 'resolved']).optional(),
    created_at_start: boundSchema('00:00:00').optional().describe('First date (UTC) of the result.'),
    created_at_end: boundSchema('23:59:59.999').optional().describe('Last date (UTC) of the result.'),
    search_input: z.string().optional().describe('Part of the name of the patient, or of the birth date.'),
  });
}

/** The result of a user is hidden while the deletion of the user can be undone. */
export const VISIBLE = 'not exists (select 1 from users u where u.user_id = r.resolved_user_id and u.deleted_at is not null)';

const member = (name: string): string => `json_extract(r.patient, '$.patient_details.${name}')`;
const SEARCHED = `${member('first_name')} || ' ' || ${member('last_name')} || char(10) || ${member('dob')}`;

interface Page {
  readonly reviews: readonly ReviewRow[];
  /** The number of all reviews that match. */
  readonly total: number;
  /** Null for the last page. */
  readonly next: string | null;
}

/** Returns a page of the reviews of a team, the newest first. */
export function reviewsPage({ database, cursors }: State, team: string, query: z.output<ReturnType<typeof reviewsQuery>>): Page {
  const { limit, next_cursor: [before] = [], lab_slug } = query;
  const conditions: string[] = ['r.team_id = ?', VISIBLE];
  const values: (string | number)[] = [team];
  const filter = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  const lab = laboratories.find(({ slug }) => slug === lab_slug);
  filter('r.decision_code = ?', query.decision_code);
  filter('r.lab_id = ?', lab_slug === undefined ? undefined : (lab?.id ?? -1));
  filter('r.status = ?', query.status);
  filter('r.created_at >= ?', query.created_at_start);
  filter('r.created_at <= ?', query.created_at_end);
  filter(`instr(lower(${SEARCHED}), lower(?)) > 0`, query.search_input);
  const matching = `from match_reviews r where ${conditions.join(' and ')}`;
  const { total } = database.get<{ total: number }>(`select count(*) as total ${matching}`, ...values)!;
  const found = database.all<ReviewRow>(
    `select r.* ${matching} and r.number < ? order by r.number desc limit ?`,
    ...values,
    before ?? Number.MAX_SAFE_INTEGER,
    limit + 1,
  );
  const reviews = found.slice(0, limit);
  return { reviews, total, next: found.length > limit ? cursors.of(SCOPE, [reviews.at(-1)!.number]) : null };
}
