-- What was given out lately is told to patients.
create index "laboratory_orders_issued_idx" on "laboratory_orders" ("issuedAt") where "issuedAt" is not null and not "deleted";
