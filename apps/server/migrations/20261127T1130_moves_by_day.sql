-- KPI of a closed month asks which visits were moved out of its days later.
create index "appointments_moves_fromDate_idx" on "appointments_moves" ("fromDate");
