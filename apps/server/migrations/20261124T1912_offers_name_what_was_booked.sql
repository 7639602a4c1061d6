-- Nothing has ever written it: whatever stands there names no service of a coupon.
update "sales_management_offer_services" set "idCouponService" = null where "idCouponService" is not null;
alter table "sales_management_offer_services" alter column "idCouponService" type bigint;
alter table "sales_management_offer_services" add constraint "sales_management_offer_services_idCouponService_fkey" foreign key ("idCouponService") references "coupon_services" ("id") on delete set null;
create index "sales_management_offer_services_idCouponService_idx" on "sales_management_offer_services" ("idCouponService") where not "deleted";
