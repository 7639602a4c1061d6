alter table "payroll_adjustments" add column "idViolation" bigint;
alter table "payroll_adjustments" add constraint "payroll_adjustments_idViolation_fkey" foreign key ("idViolation") references "regulations_violations" ("id") on delete set null;
create index "payroll_adjustments_idViolation_idx" on "payroll_adjustments" ("idViolation") where not "deleted";
create unique index "payroll_adjustments_idViolation_key" on "payroll_adjustments" ("idViolation") where not "deleted";
