-- Who performs a service: those who are named, the specialities of its group, or any doctor.
alter table "services" add column "anyPerformer" boolean not null default false;
alter table "services_groups" add column "specialities" bigint[] not null default '{}';

-- A service that nobody was named for has been offered at every doctor's: now it says so.
update "services" s set "anyPerformer" = true
where s."serviceCategory" = 0 and not s."deleted"
  and not exists (select 1 from "service_performers" p where p."idService" = s."id" and not p."deleted");

-- The specialities of a group, else of the nearest group that it is in.
create function service_group_specialities("asked" bigint) returns bigint[] language sql stable as $$
  with recursive up as (
    select g."id", g."idParentGroup", g."specialities", 0 as depth from services_groups g where g."id" = "asked"
    union all
    select g."id", g."idParentGroup", g."specialities", up.depth + 1 from up
      join services_groups g on g."id" = up."idParentGroup" and not g."deleted" where up.depth < 20)
  select "specialities" from up where cardinality("specialities") > 0 order by depth limit 1
$$;

-- A doctor who is named for a service performs it where the line says so and nowhere else. Products are given by anyone.
create view service_doctors as
  select p."idService", p."idUser", p."idFilial" from service_performers p where p."allowed" and not p."deleted"
  union all
  select s."id", u."id", null from services s join users u on not u."deleted"
  where not exists (select 1 from service_performers p where p."idService" = s."id" and p."idUser" = u."id" and not p."deleted")
    and (s."anyPerformer" or s."serviceCategory" = 1
      or u."idSpeciality" = any (service_group_specialities(s."idGroup"))
        and not exists (select 1 from service_performers p where p."idService" = s."id" and p."allowed" and not p."deleted"));
