-- GET /regulations?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations" t0 where not t0."deleted" and ((
t0."status" = 'active' or t0."idUser" = $1::bigint or t0."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t0."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t0."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t0."id" and d."idUser" = $5::bigint and not d."deleted"))) order by t0."name", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."name" as "name",
  t1."description" as "description",
  t1."type" as "type",
  t1."status" as "status",
  t1."idRole" as "idRole",
  t1."idResponsibleUser" as "idResponsibleUser",
  t1."idUser" as "idUser",
  t1."created_at" as "created_at",
  t1."updated_at" as "updated_at",
  t1."version" as "version",
  t1."idFirst" as "idFirst",
  t1."idPrevious" as "idPrevious",
  t1."rejectionReason" as "rejectionReason",
  t1."dateEffective" as "dateEffective",
  t1."dateApproved" as "dateApproved",
  t1."dateActive" as "dateActive",
  t1."dateArchived" as "dateArchived",
  t1."reviewMonths" as "reviewMonths",
  t1."dateReview" as "dateReview",
  t1."dateReviewReminded" as "dateReviewReminded",
  t1."readDays" as "readDays",
  t1."passScore" as "passScore",
  ((select o."name" from roles o where o."id" = t1."idRole")) as "role",
  ((select count(*)::int from "regulations_steps" t2 where t2."idRegulation" = t1."id" and not t2."deleted")) as "stagesCount",
  ((select coalesce(sum(s."timeEstimate"), 0)::int from regulations_steps s where s."idRegulation" = t1."id" and not s."deleted")) as "timeEstimate",
  (coalesce(jsonb_array_length(t1."test"->'questions'), 0)) as "hasTest",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "regulations" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations" t0 where not t0."deleted" and ((
t0."status" = 'active' or t0."idUser" = $6::bigint or t0."idResponsibleUser" = $7::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t0."id" and v."idUser" = $8::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t0."id" and d."idUser" = $9::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t0."id" and d."idUser" = $10::bigint and not d."deleted"))) limit 10001) counted) as total;

-- GET /regulations/steps?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_steps" t0 where not t0."deleted" and exists (select 1 from "regulations" t1 where t1."id" = t0."idRegulation" and not t1."deleted" and ((
t1."status" = 'active' or t1."idUser" = $1::bigint or t1."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t1."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t1."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t1."id" and d."idUser" = $5::bigint and not d."deleted")))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idRegulation" as "idRegulation",
  t2."order" as "order",
  t2."title" as "title",
  t2."description" as "description",
  t2."timeEstimate" as "timeEstimate",
  t2."status" as "status",
  t2."importance" as "importance",
  t2."type" as "type",
  t2."responsible" as "responsible",
  t2."idOrigin" as "idOrigin",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "regulations_steps" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_steps" t0 where not t0."deleted" and exists (select 1 from "regulations" t1 where t1."id" = t0."idRegulation" and not t1."deleted" and ((
t1."status" = 'active' or t1."idUser" = $6::bigint or t1."idResponsibleUser" = $7::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t1."id" and v."idUser" = $8::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t1."id" and d."idUser" = $9::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t1."id" and d."idUser" = $10::bigint and not d."deleted")))) limit 10001) counted) as total;

-- GET /regulations/files?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_files" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint
or exists (
select 1 from regulations_step_images a join regulations_steps s on s."id" = a."idStep" and not s."deleted"
join regulations r on r."id" = s."idRegulation" and not r."deleted"
where a."idFile" = t0."id" and (
r."status" = 'active' or r."idUser" = $2::bigint or r."idResponsibleUser" = $3::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = r."id" and v."idUser" = $4::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = r."id" and d."idUser" = $5::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = r."id" and d."idUser" = $6::bigint and not d."deleted"))) or exists (
select 1 from regulations_step_documents a join regulations_steps s on s."id" = a."idStep" and not s."deleted"
join regulations r on r."id" = s."idRegulation" and not r."deleted"
where a."idFile" = t0."id" and (
r."status" = 'active' or r."idUser" = $7::bigint or r."idResponsibleUser" = $8::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = r."id" and v."idUser" = $9::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = r."id" and d."idUser" = $10::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = r."id" and d."idUser" = $11::bigint and not d."deleted"))))) order by t0."id" desc limit 51) picked)
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
from page join "regulations_files" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_files" t0 where not t0."deleted" and ((t0."idUser" = $12::bigint
or exists (
select 1 from regulations_step_images a join regulations_steps s on s."id" = a."idStep" and not s."deleted"
join regulations r on r."id" = s."idRegulation" and not r."deleted"
where a."idFile" = t0."id" and (
r."status" = 'active' or r."idUser" = $13::bigint or r."idResponsibleUser" = $14::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = r."id" and v."idUser" = $15::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = r."id" and d."idUser" = $16::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = r."id" and d."idUser" = $17::bigint and not d."deleted"))) or exists (
select 1 from regulations_step_documents a join regulations_steps s on s."id" = a."idStep" and not s."deleted"
join regulations r on r."id" = s."idRegulation" and not r."deleted"
where a."idFile" = t0."id" and (
r."status" = 'active' or r."idUser" = $18::bigint or r."idResponsibleUser" = $19::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = r."id" and v."idUser" = $20::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = r."id" and d."idUser" = $21::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = r."id" and d."idUser" = $22::bigint and not d."deleted"))))) limit 10001) counted) as total;

-- GET /regulations/step-images?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_step_images" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $1::bigint or t2."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $5::bigint and not d."deleted"))))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idStep" as "idStep",
  t3."idFile" as "idFile",
  t3."description" as "description",
  t3."order" as "order",
  ('/files/' || t3."idFile") as "url",
  t3."_version" as "_version") x) as j
from page join "regulations_step_images" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_step_images" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $6::bigint or t2."idResponsibleUser" = $7::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $8::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $9::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $10::bigint and not d."deleted"))))) limit 10001) counted) as total;

-- GET /regulations/step-documents?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_step_documents" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $1::bigint or t2."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $5::bigint and not d."deleted"))))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idStep" as "idStep",
  t3."idFile" as "idFile",
  t3."order" as "order",
  t3."_version" as "_version") x) as j
from page join "regulations_step_documents" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_step_documents" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $6::bigint or t2."idResponsibleUser" = $7::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $8::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $9::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $10::bigint and not d."deleted"))))) limit 10001) counted) as total;

-- GET /regulations/step-scripts?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_step_scripts" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $1::bigint or t2."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $5::bigint and not d."deleted"))))) order by t0."order", t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idStep" as "idStep",
  t3."idScript" as "idScript",
  t3."order" as "order",
  t3."_version" as "_version") x) as j
from page join "regulations_step_scripts" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_step_scripts" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $6::bigint or t2."idResponsibleUser" = $7::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $8::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $9::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $10::bigint and not d."deleted"))))) limit 10001) counted) as total;

-- GET /regulations/step-responsibles?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_step_responsibles" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $1::bigint or t2."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $5::bigint and not d."deleted"))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idStep" as "idStep",
  t3."idUser" as "idUser",
  t3."_version" as "_version") x) as j
from page join "regulations_step_responsibles" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_step_responsibles" t0 where exists (select 1 from "regulations_steps" t1 where t1."id" = t0."idStep" and not t1."deleted" and exists (select 1 from "regulations" t2 where t2."id" = t1."idRegulation" and not t2."deleted" and ((
t2."status" = 'active' or t2."idUser" = $6::bigint or t2."idResponsibleUser" = $7::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t2."id" and v."idUser" = $8::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t2."id" and d."idUser" = $9::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t2."id" and d."idUser" = $10::bigint and not d."deleted"))))) limit 10001) counted) as total;

-- GET /regulations/reviewers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_reviewers" t0 where exists (select 1 from "regulations" t1 where t1."id" = t0."idRegulation" and not t1."deleted" and ((
t1."status" = 'active' or t1."idUser" = $1::bigint or t1."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t1."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t1."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t1."id" and d."idUser" = $5::bigint and not d."deleted")))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idRegulation" as "idRegulation",
  t2."idUser" as "idUser",
  t2."kind" as "kind",
  t2."decision" as "decision",
  t2."dateDecision" as "dateDecision",
  t2."comment" as "comment",
  t2."_version" as "_version") x) as j
from page join "regulations_reviewers" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_reviewers" t0 where exists (select 1 from "regulations" t1 where t1."id" = t0."idRegulation" and not t1."deleted" and ((
t1."status" = 'active' or t1."idUser" = $6::bigint or t1."idResponsibleUser" = $7::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t1."id" and v."idUser" = $8::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t1."id" and d."idUser" = $9::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t1."id" and d."idUser" = $10::bigint and not d."deleted")))) limit 10001) counted) as total;

-- GET /regulations/audience?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_audience" t0 where exists (select 1 from "regulations" t1 where t1."id" = t0."idRegulation" and not t1."deleted" and ((
t1."status" = 'active' or t1."idUser" = $1::bigint or t1."idResponsibleUser" = $2::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t1."id" and v."idUser" = $3::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t1."id" and d."idUser" = $4::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t1."id" and d."idUser" = $5::bigint and not d."deleted")))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idRegulation" as "idRegulation",
  t2."idUser" as "idUser",
  t2."idRole" as "idRole",
  t2."_version" as "_version") x) as j
from page join "regulations_audience" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_audience" t0 where exists (select 1 from "regulations" t1 where t1."id" = t0."idRegulation" and not t1."deleted" and ((
t1."status" = 'active' or t1."idUser" = $6::bigint or t1."idResponsibleUser" = $7::bigint
or exists (select 1 from regulations_reviewers v where v."idRegulation" = t1."id" and v."idUser" = $8::bigint)
or exists (select 1 from regulations_reads d where d."idRegulation" = t1."id" and d."idUser" = $9::bigint and not d."deleted")
or exists (select 1 from regulations_runs d where d."idRegulation" = t1."id" and d."idUser" = $10::bigint and not d."deleted")))) limit 10001) counted) as total;

-- GET /regulations/reads?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_reads" t0 where not t0."deleted" and ((t0."idUser" = $1::bigint or exists (
select 1 from regulations r where r."id" = t0."idRegulation" and r."idResponsibleUser" = $2::bigint))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idRegulation" as "idRegulation",
  t1."idUser" as "idUser",
  t1."dateCreate" as "dateCreate",
  t1."dateDue" as "dateDue",
  t1."dateRead" as "dateRead",
  t1."score" as "score",
  t1."attempts" as "attempts",
  t1."dateReminded" as "dateReminded",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "regulations_reads" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_reads" t0 where not t0."deleted" and ((t0."idUser" = $3::bigint or exists (
select 1 from regulations r where r."id" = t0."idRegulation" and r."idResponsibleUser" = $4::bigint))) limit 10001) counted) as total;

-- GET /regulations/runs?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_runs" t0 where not t0."deleted" and (((t0."idUser" = $1::bigint or ((exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) or exists (
select 1 from regulations r where r."id" = t0."idRegulation" and r."idResponsibleUser" = $6::bigint)
or t0."idTask" is not null and exists (select 1 from tasks_management_sights sk
where sk."idTask" = t0."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $7::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $8::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($9::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $10::bigint and not m."deleted" and w.holds
union all select $11::bigint)) offset 0))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idRegulation" as "idRegulation",
  t1."idTask" as "idTask",
  t1."idUser" as "idUser",
  t1."state" as "state",
  t1."dateStart" as "dateStart",
  t1."dateEnd" as "dateEnd",
  ((select count(*)::int from "regulations_run_steps" t2 where t2."idRun" = t1."id")) as "stepsTotalCount",
  ((select count(*)::int from "regulations_run_steps" t3 where t3."idRun" = t1."id" and t3."state" <> 'waiting')) as "stepsMarkedCount",
  ((select count(*)::int from "regulations_violations" t4 where t4."idRun" = t1."id" and not t4."deleted")) as "violationsCount",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "regulations_runs" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_runs" t0 where not t0."deleted" and (((t0."idUser" = $12::bigint or ((exists (
select 1 from user_permissions p where p."idUser" = $13::bigint and p.permission = $14)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $15::bigint and $16 = any(r.permissions))))) or exists (
select 1 from regulations r where r."id" = t0."idRegulation" and r."idResponsibleUser" = $17::bigint)
or t0."idTask" is not null and exists (select 1 from tasks_management_sights sk
where sk."idTask" = t0."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $18::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $19::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($20::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $21::bigint and not m."deleted" and w.holds
union all select $22::bigint)) offset 0))) limit 10001) counted) as total;

-- GET /regulations/run-steps?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_run_steps" t0 where exists (select 1 from "regulations_runs" t1 where t1."id" = t0."idRun" and not t1."deleted" and (((t1."idUser" = $1::bigint or ((exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) or exists (
select 1 from regulations r where r."id" = t1."idRegulation" and r."idResponsibleUser" = $6::bigint)
or t1."idTask" is not null and exists (select 1 from tasks_management_sights sk
where sk."idTask" = t1."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $7::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $8::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($9::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $10::bigint and not m."deleted" and w.holds
union all select $11::bigint)) offset 0)))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idRun" as "idRun",
  t2."idStep" as "idStep",
  t2."state" as "state",
  t2."note" as "note",
  t2."dateStart" as "dateStart",
  t2."dateEnd" as "dateEnd",
  t2."idUser" as "idUser",
  t2."_version" as "_version") x) as j
from page join "regulations_run_steps" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_run_steps" t0 where exists (select 1 from "regulations_runs" t1 where t1."id" = t0."idRun" and not t1."deleted" and (((t1."idUser" = $12::bigint or ((exists (
select 1 from user_permissions p where p."idUser" = $13::bigint and p.permission = $14)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $15::bigint and $16 = any(r.permissions))))) or exists (
select 1 from regulations r where r."id" = t1."idRegulation" and r."idResponsibleUser" = $17::bigint)
or t1."idTask" is not null and exists (select 1 from tasks_management_sights sk
where sk."idTask" = t1."idTask" and not sk."isGone" and not sk."deleted" and sk."principal" = any(array(
select b."id" << 32 | w.who from tasks_management_boards b cross join (values (0::bigint), (4294967294)) w(who)
where b."idUser" = $18::bigint and not b."deleted"
union all
select m."idBoard" << 32 | w.who from tasks_management_members m
join tasks_management_boards b on b."id" = m."idBoard" and not b."deleted" and b."idUser" <> $19::bigint
cross join lateral (values (4294967294, true), (0::bigint, m."permissionToViewTasks" = 'all'),
($20::bigint, m."permissionToViewTasks" in ('my', 'emptymy')), (4294967295, m."permissionToViewTasks" = 'emptymy')) w(who, holds)
where m."idUser" = $21::bigint and not m."deleted" and w.holds
union all select $22::bigint)) offset 0)))) limit 10001) counted) as total;

-- GET /regulations/violations?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "regulations_violations" t0 where not t0."deleted" and (((t0."idUser" = $1::bigint or ((exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) or exists (
select 1 from regulations r where r."id" = t0."idRegulation" and r."idResponsibleUser" = $6::bigint) or (t0."state" = 'confirmed' and (exists (
select 1 from user_permissions p where p."idUser" = $7::bigint and p.permission = $8)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $9::bigint and $10 = any(r.permissions)))))) order by t0."id" desc limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t1."id" as "id",
  t1."idRegulation" as "idRegulation",
  t1."idStep" as "idStep",
  t1."idUser" as "idUser",
  t1."idRun" as "idRun",
  t1."level" as "level",
  t1."source" as "source",
  t1."description" as "description",
  t1."state" as "state",
  t1."explanation" as "explanation",
  t1."deduction" as "deduction",
  t1."dateCreate" as "dateCreate",
  t1."idAuthor" as "idAuthor",
  t1."deleted" as "deleted",
  t1."_version" as "_version") x) as j
from page join "regulations_violations" t1 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "regulations_violations" t0 where not t0."deleted" and (((t0."idUser" = $11::bigint or ((exists (
select 1 from user_permissions p where p."idUser" = $12::bigint and p.permission = $13)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $14::bigint and $15 = any(r.permissions))))) or exists (
select 1 from regulations r where r."id" = t0."idRegulation" and r."idResponsibleUser" = $16::bigint) or (t0."state" = 'confirmed' and (exists (
select 1 from user_permissions p where p."idUser" = $17::bigint and p.permission = $18)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $19::bigint and $20 = any(r.permissions)))))) limit 10001) counted) as total;
