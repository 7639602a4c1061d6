-- A month whose lines are what its facts come to: a print of both, so that a closed month is read whole only when either is another one.
create table payroll_settled (
  "idPeriod" bigint primary key references payroll_periods ("id") on delete cascade,
  "facts" text not null,
  "lines" text not null
);
