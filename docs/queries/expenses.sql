-- GET /expenses?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "expenses" t0 where not t0."deleted" order by t0."localDate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."localDate" as "localDate",
  t1."month" as "month",
  t1."idArticle" as "idArticle",
  t1."idFilial" as "idFilial",
  t1."purpose" as "purpose",
  t1."sum" as "sum",
  t1."vatCode" as "vatCode",
  t1."vatSum" as "vatSum",
  t1."idContractor" as "idContractor",
  t1."payFrom" as "payFrom",
  t1."idDesk" as "idDesk",
  t1."idBankAccount" as "idBankAccount",
  t1."number" as "number",
  t1."note" as "note",
  t1."status" as "status",
  t1."idResponsible" as "idResponsible",
  t1."repeat" as "repeat",
  t1."repeatTo" as "repeatTo",
  t1."idRepeatOf" as "idRepeatOf",
  t1."repeatNumber" as "repeatNumber",
  t1."refusal" as "refusal",
  t1."dateApproved" as "dateApproved",
  t1."datePaid" as "datePaid",
  t1."idShift" as "idShift",
  t1."idPayer" as "idPayer",
  ((t1."status" = 'toApprove' and exists (select 1 from expenses_approvals a
where a."idExpense" = t1."id" and a."idUser" = $1::bigint and a."status" = 'waiting'))) as "waitsForMe",
  t1."idAuthor" as "idAuthor",
  t1."dateCreate" as "dateCreate",
  t1."dateChange" as "dateChange",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "expenses" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "expenses" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /expenses/approvals?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "expenses_approvals" t0 where exists (select 1 from "expenses" t1 where t1."id" = t0."idExpense" and not t1."deleted") order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idExpense" as "idExpense",
  t2."idUser" as "idUser",
  t2."order" as "order",
  t2."status" as "status",
  t2."comment" as "comment",
  t2."dateDecided" as "dateDecided",
  t2."dateCreate" as "dateCreate",
  t2."_version" as "_version") x) as j
from page join "expenses_approvals" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "expenses_approvals" t0 where exists (select 1 from "expenses" t1 where t1."id" = t0."idExpense" and not t1."deleted") limit 10001) counted) as total;

-- GET /expenses/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "expenses_files" t0 where not t0."deleted" order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."extension" as "extension",
  t1."size" as "size",
  t1."meta" as "meta",
  t1."key" as "key",
  t1."dateCreate" as "dateCreate",
  t1."idUser" as "idUser",
  ('/files/' || t1."id") as "url",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "expenses_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "expenses_files" t0 where not t0."deleted" limit 10001) counted) as total;

-- GET /expenses/attachments?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "expenses_attachments" t0 where not t0."deleted" and exists (select 1 from "expenses" t1 where t1."id" = t0."idExpense" and not t1."deleted") order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idExpense" as "idExpense",
  t2."idFile" as "idFile",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "expenses_attachments" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "expenses_attachments" t0 where not t0."deleted" and exists (select 1 from "expenses" t1 where t1."id" = t0."idExpense" and not t1."deleted") limit 10001) counted) as total;

-- GET /expenses/statements?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "expenses_statements" t0  order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."account" as "account",
  t1."idBankAccount" as "idBankAccount",
  t1."dateFrom" as "dateFrom",
  t1."dateTo" as "dateTo",
  t1."opening" as "opening",
  t1."closing" as "closing",
  ((select count(*)::int from expenses_statement_lines l where l."idStatement" = t1."id")) as "linesCount",
  t1."dateCreate" as "dateCreate",
  t1."idAuthor" as "idAuthor",
  t1."_version" as "_version") x) as j
from page join "expenses_statements" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "expenses_statements" t0  limit 10001) counted) as total;

-- GET /expenses/statement-lines?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "expenses_statement_lines" t0  order by t0."localDate" desc, t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idStatement" as "idStatement",
  t2."localDate" as "localDate",
  t2."number" as "number",
  t2."isIncoming" as "isIncoming",
  t2."sum" as "sum",
  t2."party" as "party",
  t2."inn" as "inn",
  t2."purpose" as "purpose",
  t2."mark" as "mark",
  t2."state" as "state",
  t2."idExpense" as "idExpense",
  t2."idRegistry" as "idRegistry",
  t2."_version" as "_version") x) as j
from page join "expenses_statement_lines" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "expenses_statement_lines" t0  limit 10001) counted) as total;
