-- What «Никто не забыт» walks: missed calls that wait, appeals without an outcome. Both stay short.
create index "calls_recall_waiting" on "calls" ("contactPhone", "dateCreate") where "recall";
create index "appeals_promised" on "appeals" ("idOwner") where "outcome" is null and not "deleted";
