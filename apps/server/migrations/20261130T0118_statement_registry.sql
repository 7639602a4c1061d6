-- The registry that a payer has paid by an operation of a bank statement.
alter table "expenses_statement_lines" add column "idRegistry" bigint;
alter table "expenses_statement_lines" add constraint "expenses_statement_lines_idRegistry_fkey" foreign key ("idRegistry") references "payer_registries" ("id") on delete set null not valid;
