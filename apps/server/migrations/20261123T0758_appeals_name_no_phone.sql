-- The number of a patient is read in the card, by who may read it there: what was copied from limited cards goes.
update "appeals" a set "customerPhone" = null from "customers" c
  where c."id" = a."idCustomer" and c."secretLevel" <> 'none' and a."entityType" is null and a."customerPhone" is not null;
