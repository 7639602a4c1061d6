-- The words of a term in plain SQL, which is inlined: a call of plpgsql took most of the time of a search that many terms
-- answer. Small letters by the built-in collation where there is one (PostgreSQL 17): ICU takes several times as long.
drop index "dictionaries_terms_words_idx";
do $do$ begin
  execute format('create or replace function term_words(name text) returns text language sql immutable parallel safe
    as $$ select replace(lower(name %s), %L, %L) collate "default" $$',
    case when current_setting('server_version_num')::int >= 170000 then 'collate "pg_c_utf8"' else '' end, 'ё', 'е');
end $do$;
create index "dictionaries_terms_words_idx" on "dictionaries_terms" using gin (term_words("name") gin_trgm_ops) where not "deleted";
