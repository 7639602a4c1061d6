-- Closes of stock: ends of months by batch as before, and turnovers of goods, in busy months by days within them too.
-- Closes are counted from the moves, so they are made anew by the job after this.
drop table warehouse_months;
drop table warehouse_closes;
create table warehouse_closes (
  "day" date primary key,
  "endsMonth" boolean not null,
  "dateCreate" timestamptz not null default now()
);
create table warehouse_months (
  "month" date not null,
  "idWarehouse" bigint not null,
  "idBatch" bigint not null,
  "idProduct" bigint not null,
  "qty" numeric(15,3) not null,
  "cost" numeric(16,2) not null,
  "closed" date not null generated always as (("month" + interval '1 month' - interval '1 day')::date) stored
    references warehouse_closes ("day") on delete cascade,
  primary key ("month", "idWarehouse", "idBatch")
);
create index warehouse_months_closed_idx on warehouse_months ("closed");
create table warehouse_turns (
  "day" date not null references warehouse_closes ("day") on delete cascade,
  "idWarehouse" bigint not null,
  "idProduct" bigint not null,
  "qty" numeric(18,3) not null,
  "cost" numeric(18,2) not null,
  "came" numeric(18,3) not null,
  "went" numeric(18,3) not null,
  "wentCost" numeric(18,2) not null,
  "used" numeric(18,3) not null,
  primary key ("day", "idWarehouse", "idProduct")
);

-- Batches that are used up stay in warehouse_stock; whoever looks for what lies there does not pass them.
create index warehouse_stock_there_idx on warehouse_stock ("idProduct") include ("idWarehouse", "idBatch", "qty", "reserved") where "qty" > 0;
