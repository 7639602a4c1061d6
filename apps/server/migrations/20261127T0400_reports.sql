-- What a violation costs its employee; indexes by which reports find the days of a period.
alter table regulations_violations add column "deduction" numeric(14, 2);

create index appointments_day_idx on appointments ("localDate") where not "deleted";
create index coupons_day_idx on coupons ("localDate") where not "deleted";
create index staff_events_day_idx on staff_events ("localDate") where not "deleted";
create index discounts_uses_line_idx on discounts_uses ("idCouponService") where "idCouponService" is not null;
create index appeals_start_idx on appeals ("dateStart") where not "deleted";
