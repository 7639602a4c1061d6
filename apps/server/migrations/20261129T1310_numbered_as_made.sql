-- What a numbered document says of the clinic (requisites, branch, settings), as at its first print.
alter table print_numbers add column "kept" jsonb;
