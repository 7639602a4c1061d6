/* The whole of МКБ-10 in the place of the frequent codes that came before, class by class: each file after this one,
   up to the one that ends them, gives a class. A line of a class is

     =I A00–B99 the number of the class, its range and its name
     #A00–A09 a block: the range, and the name; it is the group of what follows
     A00.1 a code, and what it is called

   A clinic that works already gets what it lacks. What it has changed, ended or deleted stays as it is; what came with
   the program and was not touched is called as here. A clinic that has taken in the whole list of the state from a file
   gets nothing, for codes that are no more must not come back. */
insert into dictionaries ("name", "code") select 'МКБ-10', 'icd10'
  where not exists (select 1 from dictionaries where "code" = 'icd10');

create function icd10_give(list text) returns void language plpgsql as $$
declare
  icd10 bigint := (select "id" from dictionaries where "code" = 'icd10');
  -- Since приказ Минздрава № 170 of 27.05.1997 as changed. What comes with the program is in force since then.
  since constant date := '1999-01-01';
  /** From so many terms of its own on, a clinic has taken in the whole list. */
  whole constant integer := 5000;
begin
  if (select count(*) from dictionaries_terms where "idDictionary" = icd10 and "dateFrom" <> since and not "deleted") >= whole then
    return;
  end if;
  create temporary table given on commit drop as
    select split_part(line, ' ', 1) as "code", substr(line, strpos(line, ' ') + 1) as "name",
      substr(first_value(line) over (partition by block order by n), 2) as "group", line
    from (select line, n, count(*) filter (where line like '#%') over (order by n) as block
      from regexp_split_to_table(btrim(list, E'\n'), '\n') with ordinality as lines(line, n) where line not like '=%') as placed;
  delete from given where line like '#%';
  update dictionaries_terms t set "name" = g."name", "group" = g."group" from given g
    where t."idDictionary" = icd10 and t."code" = g."code" and t."dateFrom" = since and t."dateTo" is null
      and t."_version" = 1 and not t."deleted" and (t."name", t."group") is distinct from (g."name", g."group");
  insert into dictionaries_terms ("idDictionary", "code", "name", "group", "dateFrom")
    select icd10, g."code", g."name", g."group", since from given g
    where not exists (select 1 from dictionaries_terms t where t."idDictionary" = icd10 and t."code" = g."code")
    order by g."code";
  drop table given;
end $$;
