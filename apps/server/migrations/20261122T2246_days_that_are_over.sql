
-- Days of branches whose desks were asked who of the expected has come: each is asked about once.
create table "visit_days_over" (
  "idFilial" bigint not null references "filials" ("id") on delete cascade,
  "localDate" date not null,
  primary key ("idFilial", "localDate")
);
