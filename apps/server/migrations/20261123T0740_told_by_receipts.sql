-- What receipts have told to be settled: of each credit for each line, and of a credit for debts that are no line's.
-- A line that a credit stood for keeps its row while something told of it has not been taken back.
alter table ledger_allocations add column "told" bigint not null default 0 check ("told" >= 0);
alter table ledger_allocations drop constraint "ledger_allocations_sum_check", add check ("sum" >= 0);
alter table ledger_credits add column "told" bigint not null default 0 check ("told" >= 0);

update ledger_allocations a set "told" = a."sum"
from ledger_lines p, ledger_credits c
where p."idLine" = a."idLine" and p."receipted" and p."charged" > 0 and c."idTx" = a."idTx"
  and exists (select 1 from payments_parts t where t."idPayment" = c."idPayment")
  and not exists (select 1 from payments_parts t where t."idPayment" = c."idPayment" and t."method" = 'insurer');

-- What else the receipts of a payment have told, less those of its returns, is of lines that were taken back since.
with said as (
  select coalesce(p."idRefundOf", p."id") as id, sum(case when p."kind" = 'payment' then x.settled else -x.settled end) as settled
  from payments p join fiscal_tasks f on f."idPayment" = p."id" and f."task" is not null
    cross join lateral (select
      (select coalesce(sum((i ->> 'amount')::bigint), 0) from jsonb_array_elements(f."task" -> 'items') i
        where i ->> 'settlement' in ('fullPayment', 'partialPayment', 'creditPayment'))
      - (select coalesce(sum((m ->> 'sum')::bigint), 0) from jsonb_array_elements(f."task" -> 'payments') m
        where m ->> 'type' in ('credit', 'prepaid')) as settled) x
  group by 1
)
update ledger_credits c set "told" = greatest(0, least(c."free", s.settled
  - coalesce((select sum(a."told") from ledger_allocations a where a."idTx" = c."idTx"), 0)))
from said s where s.id = c."idPayment";

