-- What a register says will soon stop it; what administrators were already told of a system that needs attention.
create table "desk_signs" (
  "idDesk" bigint primary key references "cash_desks" on delete cascade,
  "signs" text[] not null default '{}',
  "dateTold" timestamptz not null default now()
);
alter table "adapter_states" add column "warnings" text[] not null default '{}';
