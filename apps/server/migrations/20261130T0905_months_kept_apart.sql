-- What belongs to no month of the history or of the journal of access is still taken: a clinic that was off for a season,
-- or came back from an old copy, could write nothing until the months were made at night.
create table history_rest partition of history default;
create table access_log_rest partition of access_log default;

-- Makes the partitions of a table for this month and the next ones; safe to call at any time, from several processes.
-- A month of which rows have gone to the rest stays there.
create or replace function ensure_month_partitions(parent text, ahead integer default 3) returns void language plpgsql as $$
declare
  month date;
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions ' || parent, 0));
  for i in 0..ahead loop
    month := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => i))::date;
    begin
      execute format(
        'create table if not exists %I partition of %I for values from (%L) to (%L)',
        parent || to_char(month, '_YYYYMM'), parent, month || ' 00:00:00+00', (month + interval '1 month')::date || ' 00:00:00+00'
      );
    exception when check_violation then
      null;
    end;
  end loop;
end $$;
