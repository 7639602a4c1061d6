-- All classes of МКБ-10 are given. The former word of what came with the program is told anew; a clinic's own stays.
drop function icd10_give(text);
update dictionaries set "source" = 'МКБ-10 в русской версии, вместе с программой: все классы, блоки и трёхзначные рубрики, четырёхзначные подрубрики. Издание Минздрава (справочник 1.2.643.5.1.13.13.11.1005 на nsi.rosminzdrav.ru) загрузите из файла поверх.'
where "code" = 'icd10' and ("source" is null or "source" = 'Частые коды амбулаторного приёма, вместе с программой. Полный список (справочник 1.2.643.5.1.13.13.11.1005 на nsi.rosminzdrav.ru) загрузите из файла.');
-- So many come at once that the indexes would look through a list of them, and the planner would guess, until it is
-- tidied up: searches of the first minute would take tens of milliseconds.
select gin_clean_pending_list(index::regclass)
from unnest(array['dictionaries_terms_code_search_idx', 'dictionaries_terms_name_search_idx', 'dictionaries_terms_words_idx']) index;
analyze dictionaries_terms;
