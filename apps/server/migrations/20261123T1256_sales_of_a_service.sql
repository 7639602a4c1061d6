-- What was given of a service lately, whatever else it has been given in ten years.
create index "coupon_services_given_idx" on "coupon_services" ("idService", "dateCompleted")
  where "completed" and not "cancelled" and not "deleted";
