import { standings } from '../pulls/standing.ts';

const order = standings.map((standing, index) => `when '${standing}' then ${index}`).join(' ');

/** Query for the number of historical pulls by standing and reason, in the order of the board. */
export const pullsQuery = `select standing, pulls, reason
from (select standing, reason, count(*) as pulls from historical_pull_board group by standing, reason)
order by case standing ${order} end, pulls desc, reason`;
