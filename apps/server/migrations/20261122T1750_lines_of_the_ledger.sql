alter table "payments" add column "lines" jsonb;
alter table "coupons" drop column "payment";

-- What the ledger has of a line of a coupon: kopecks that are charged, and those of credits that stand for it.
create table ledger_lines (
  "idLine" bigint primary key,
  "idAccount" bigint not null references ledger_accounts ("id"),
  "idTx" bigint references ledger_txs ("id"),
  "charged" bigint not null default 0 check ("charged" >= 0),
  "allocated" bigint not null default 0 check ("allocated" >= 0),
  -- The receipt of the whole settlement is given.
  "receipted" boolean not null default false
);
create index ledger_lines_unpaid_idx on ledger_lines ("idAccount", "idTx") include ("charged", "allocated")
  where "charged" > "allocated";
create index ledger_lines_ahead_idx on ledger_lines ("idAccount") include ("charged", "allocated")
  where "allocated" > "charged";
create index ledger_lines_unprinted_idx on ledger_lines ("idAccount")
  where not "receipted" and "charged" > 0 and "allocated" = "charged";

-- What lets a patient owe less; what of it stands for no line is free.
create table ledger_credits (
  "idTx" bigint primary key references ledger_txs ("id"),
  "idAccount" bigint not null references ledger_accounts ("id"),
  "idPayment" bigint unique references payments ("id"),
  "free" bigint not null check ("free" >= 0)
);
create index ledger_credits_free_idx on ledger_credits ("idAccount", "idTx") include ("free") where "free" > 0;

create table ledger_allocations (
  "idTx" bigint not null references ledger_credits ("idTx"),
  "idLine" bigint not null references ledger_lines ("idLine"),
  "sum" bigint not null check ("sum" > 0),
  primary key ("idTx", "idLine")
);
create index ledger_allocations_line_idx on ledger_allocations ("idLine", "idTx");

-- What was paid before, less what was given back of it.
insert into ledger_credits ("idTx", "idAccount", "idPayment", "free")
select t."id", min(a."id"), t."idPayment", greatest(0, -sum(e."amount")
  - coalesce((select sum(b."sum") * 100 from payments b where b."idRefundOf" = t."idPayment" and b."idStatus" = 2), 0))
from ledger_txs t join ledger_entries e on e."idTx" = t."id" and e."unit" = 'RUB' and e."amount" < 0
  join ledger_accounts a on a."id" = e."idAccount" and a."kind" = 'patient'
where t."kind" <> 'storno' group by t."id";
