import type { View, ViewDialect } from './dialect.ts';

/**
 * What the service says that it has sent, against what came: per user, provider and resource. The service counts objects
 * in events `*.created`, so these are counted, each delivery once however often it came; what a backfill fetched stands
 * apart, and closes as much of the gap as it holds. Two resources have another name in introspection than in events.
 */
export const completenessView = ({ table, part }: ViewDialect): View => ({
  name: 'completeness',
  query: `select
  user_id, provider, resource, sent, received, backfilled, gap,
  least(gap, backfilled) as closed_by_backfill, gap - least(gap, backfilled) as missing,
  oldest_data, newest_data, last_attempt_at, last_attempt_status, as_of
from (
  select
    s.user_id, s.provider, s.resource, s.sent_count as sent,
    coalesce(d.received, 0) as received, coalesce(d.backfilled, 0) as backfilled,
    greatest(s.sent_count - coalesce(d.received, 0), 0) as gap,
    s.oldest_data, s.newest_data, s.last_attempt_at, s.last_attempt_status, s._received_at as as_of
  from (
    select *, case resource when 'body_fat' then 'fat' when 'body_weight' then 'weight' else resource end as event_resource
    from ${table('sent_resources')}
  ) s
  left join (
    select
      user_id, provider, resource,
      cast(sum(case when kind = 'created' then objects else 0 end) as int64) as received,
      cast(sum(case when kind = 'backfilled' then objects else 0 end) as int64) as backfilled
    from (
      select
        user_id, provider, ${part('event_type', 3)} as resource, ${part('event_type', 4)} as kind,
        coalesce(delivery_id, source || ' ' || source_partition || ' ' || cast(source_offset as string)) as delivery,
        max(coalesce(samples, 1)) as objects
      from ${table('deliveries')}
      where event_type like 'daily.data.%' and not redelivered and dead_letter_reason is null
      group by 1, 2, 3, 4, 5
    ) counted
    group by 1, 2, 3
  ) d on d.user_id = s.user_id and d.provider = s.provider and d.resource = s.event_resource
) compared`,
});
