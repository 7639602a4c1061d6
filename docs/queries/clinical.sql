-- GET /clinical-recommendations/choices?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "clinical_recommendations_choices" t0 where not t0."deleted" and exists (select 1 from "examinations" t1 where t1."id" = t0."idExamination" and not t1."deleted" and (((t1."status" <> 'draft' or t1."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($7::bigint, t2."id", 8) is null))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t3."id" as "id",
  t3."idExamination" as "idExamination",
  t3."idRecommendation" as "idRecommendation",
  t3."idAuthor" as "idAuthor",
  t3."dateCreate" as "dateCreate",
  t3."deleted" as "deleted",
  t3."_version" as "_version") x) as j
from page join "clinical_recommendations_choices" t3 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "clinical_recommendations_choices" t0 where not t0."deleted" and exists (select 1 from "examinations" t1 where t1."id" = t0."idExamination" and not t1."deleted" and (((t1."status" <> 'draft' or t1."idUser" = $8::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $9::bigint and p.permission = $10)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $11::bigint and $12 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t1."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($13::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t2 where t2."id" = t1."idCustomer" and (t2."secretLevel" <> 'none' and opened_because($14::bigint, t2."id", 8) is null))) limit 10001) counted) as total;

-- GET /clinical-recommendations/answers?count=1&limit=50
with page as materialized (select id, row_number() over () as n from (select t0."id" from "clinical_recommendations_answers" t0 where not t0."deleted" and exists (select 1 from "clinical_recommendations_choices" t1 where t1."id" = t0."idChoice" and not t1."deleted" and exists (select 1 from "examinations" t2 where t2."id" = t1."idExamination" and not t2."deleted" and (((t2."status" <> 'draft' or t2."idUser" = $1::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $2::bigint and p.permission = $3)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $4::bigint and $5 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t2."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($6::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($7::bigint, t3."id", 8) is null)))) order by t0."id" limit 51) picked)
select coalesce((
select json_agg(r.j order by r.n) from (
select page.n, (select row_to_json(x) from (select t4."id" as "id",
  t4."idChoice" as "idChoice",
  t4."idCriterion" as "idCriterion",
  t4."result" as "result",
  t4."reason" as "reason",
  t4."idAuthor" as "idAuthor",
  t4."dateCreate" as "dateCreate",
  t4."deleted" as "deleted",
  t4."_version" as "_version") x) as j
from page join "clinical_recommendations_answers" t4 using ("id") where page.n <= 50
) r
), '[]')::text as items,
(select count(*) > 50 from page) as more,
null as last,
(select count(*) from (select 1 from "clinical_recommendations_answers" t0 where not t0."deleted" and exists (select 1 from "clinical_recommendations_choices" t1 where t1."id" = t0."idChoice" and not t1."deleted" and exists (select 1 from "examinations" t2 where t2."id" = t1."idExamination" and not t2."deleted" and (((t2."status" <> 'draft' or t2."idUser" = $8::bigint
or (select (exists (
select 1 from user_permissions p where p."idUser" = $9::bigint and p.permission = $10)
or exists (select 1 from user_roles ur join roles r on r.id = ur."idRole"
where ur."idUser" = $11::bigint and $12 = any(r.permissions))))) and exists (select 1 from customers card
where card."id" = t2."idCustomer" and (not (card."secretLevel" <> 'none') or opened_because($13::bigint, card."id", 8) is not null)))) and not exists (select 1 from "customers" t3 where t3."id" = t2."idCustomer" and (t3."secretLevel" <> 'none' and opened_because($14::bigint, t3."id", 8) is null)))) limit 10001) counted) as total;
