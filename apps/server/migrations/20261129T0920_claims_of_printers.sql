-- A claim is named by its end (platform/claim.ts).
alter table fiscal_printers drop column "holder";
