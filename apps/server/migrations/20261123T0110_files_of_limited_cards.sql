-- Whose card a file is of is asked of what hangs in the trash too.
create index "customers_attachments_idFile_all_idx" on "customers_attachments" ("idFile");
create index "consents_idFile_all_idx" on "consents" ("idFile") where "idFile" is not null;
create index "customers_idPhoto_all_idx" on "customers" ("idPhoto") where "idPhoto" is not null;
