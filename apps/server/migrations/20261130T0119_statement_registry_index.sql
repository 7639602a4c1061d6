-- no transaction
create index concurrently if not exists "expenses_statement_lines_idRegistry_idx" on "expenses_statement_lines" ("idRegistry");
