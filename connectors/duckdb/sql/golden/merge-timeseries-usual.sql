merge into control.timeseries_samples t using (
  select f.series, f.event, make_timestamptz(nullif(x.start_at, 'nan'::double)::bigint) as start_at, nullif(coalesce(x.timezone_offset_s, f.c_timezone_offset_s), 'nan'::double)::bigint as timezone_offset_s, make_timestamptz(nullif(f.c_end_at, 'nan'::double)::bigint) as end_at, nullif(x.value, 'nan'::double) as value, nullif(f.c_sample_id, 'nan'::double)::bigint as sample_id, greatest(date '2010-01-01', least(date '2036-12-31', make_timestamp(x.start_at::bigint)::date)) as _day,
    f._received_at, f._origin, f._offset, f._reader
  from (select no, start_at, null::double as timezone_offset_s, value from landed.s1 union all select no, start_at, timezone_offset_s, value from landed.s2) x join folding f using (no)
) s
on t._day in (date '2026-03-28', date '2026-03-29') and t.start_at = s.start_at and t.series = s.series
when matched and (s._received_at, s._origin, s._offset, s._reader) > (t._received_at, t._origin, t._offset, t._reader) then update set
  series = s.series, event = s.event, start_at = s.start_at, timezone_offset_s = s.timezone_offset_s, end_at = s.end_at, value = s.value, sample_id = s.sample_id, _day = s._day, _received_at = s._received_at, _origin = s._origin, _offset = s._offset, _reader = s._reader
when not matched then insert (series, event, start_at, timezone_offset_s, end_at, value, sample_id, _day, _received_at, _origin, _offset, _reader)
values (s.series, s.event, s.start_at, s.timezone_offset_s, s.end_at, s.value, s.sample_id, s._day, s._received_at, s._origin, s._offset, s._reader);
