-- What a line was sold as: the name, the subject (tag 1212) and the VAT code of its service on the day when it was given
-- or prepaid. Its later receipts (settlement, credit, return, correction) read this, not the service of their own day.
alter table ledger_lines add column "sold" jsonb;
-- Of lines sold before: as on their last receipt.
update ledger_lines p set "sold" = i.sold from (
  select distinct on (1) (i->>'line')::bigint as line,
    jsonb_build_object('name', i->>'name', 'subject', (i->>'subject')::int, 'tax', coalesce(i->>'tax', 'none'),
      'day', to_char(f."dateCreate" at time zone 'Europe/Moscow', 'YYYY-MM-DD')) as sold
  from fiscal_tasks f cross join lateral jsonb_array_elements(f."task"->'items') i
  where f."kind" in ('sell', 'sellCorrection') and i ? 'line'
  order by 1, f."id" desc) i
  where i.line = p."idLine";
