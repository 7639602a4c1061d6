-- What the norms, tiers and guarantees of a scheme count over: `person` in all branches, or each `filial` by itself.
alter table payroll_schemes add column "over" text not null default 'person';
-- Schemes by which a month was closed go on as they were counted.
update payroll_schemes set "over" = 'filial' where "id" in (select l."idScheme" from payroll_lines l
  join payroll_slips s on s."id" = l."idSlip" join payroll_periods p on p."id" = s."idPeriod" and p."status" = 'closed');
