-- GET /clinical-recommendations/choices?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "clinical_recommendations_choices" t0 where not t0."deleted" and exists (select 1 from "examinations" t1 where t1."id" = t0."idExamination" and not t1."deleted" and (((t1."status" <> 'draft' or t1."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t2."id" as "id",
  t2."idExamination" as "idExamination",
  t2."idRecommendation" as "idRecommendation",
  t2."idAuthor" as "idAuthor",
  t2."dateCreate" as "dateCreate",
  t2."deleted" as "deleted",
  t2."_version" as "_version") x) as j
from page join "clinical_recommendations_choices" t2 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "clinical_recommendations_choices" t0 where not t0."deleted" and exists (select 1 from "examinations" t1 where t1."id" = t0."idExamination" and not t1."deleted" and (((t1."status" <> 'draft' or t1."idUser" = $7::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $8::bigint and p.permission = $9)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $10::bigint and $11 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($12::bigint, card."id", 8) is not null))))) limit 10001) counted) as total;

-- GET /clinical-recommendations/answers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "clinical_recommendations_answers" t0 where not t0."deleted" and exists (select 1 from "clinical_recommendations_choices" t1 where t1."id" = t0."idChoice" and not t1."deleted" and exists (select 1 from "examinations" t2 where t2."id" = t1."idExamination" and not t2."deleted" and (((t2."status" <> 'draft' or t2."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t2."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)))))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idChoice" as "idChoice",
  t3."idCriterion" as "idCriterion",
  t3."result" as "result",
  t3."reason" as "reason",
  t3."idAuthor" as "idAuthor",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "clinical_recommendations_answers" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "clinical_recommendations_answers" t0 where not t0."deleted" and exists (select 1 from "clinical_recommendations_choices" t1 where t1."id" = t0."idChoice" and not t1."deleted" and exists (select 1 from "examinations" t2 where t2."id" = t1."idExamination" and not t2."deleted" and (((t2."status" <> 'draft' or t2."idUser" = $7::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $8::bigint and p.permission = $9)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $10::bigint and $11 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t2."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($12::bigint, card."id", 8) is not null)))))) limit 10001) counted) as total;
