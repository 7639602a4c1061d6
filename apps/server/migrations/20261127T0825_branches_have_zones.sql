-- A branch has a zone of its own (day.md §1): one that has none goes by the clinic's, as before.
update filials set "timeZone" = coalesce((select "value" #>> '{}' from common_settings where "name" = 'timeZone'), 'Europe/Moscow')
  where coalesce("timeZone", '') = '';
