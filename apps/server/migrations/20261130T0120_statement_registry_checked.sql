-- Existing rows are checked without stopping writes.
alter table "expenses_statement_lines" validate constraint "expenses_statement_lines_idRegistry_fkey";
