-- The site is opened by the clinic's own decision: whoever has published a page has made it.
alter table "client_theme" alter column "isActive" set default false;
update "client_theme" set "isActive" = false where not exists (select 1 from "client_versions" where "isCurrent");
