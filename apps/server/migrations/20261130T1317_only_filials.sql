-- Employees who see only the records of their branches.
alter table users add column "onlyFilials" boolean not null default false;
