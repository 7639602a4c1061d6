-- What is taken is read of the index alone: whose a hold is stands there too.
drop index "visit_occupancy_from_idx";
create index "visit_occupancy_from_idx" on "visit_occupancy" ("resource", lower("during")) include ("during", "lane", "expiresAt", "idHold");
