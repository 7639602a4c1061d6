-- Names and codes of the service of lines sold before, as they are now: later changes move nothing.
update ledger_lines p set "sold" = p."sold" || jsonb_build_object('service', jsonb_build_object(
    'shortNameService', s."shortNameService", 'code', s."code", 'medicalCode', s."medicalCode", 'article', s."article", 'unit', s."unit"))
  from coupon_services l join services s on s."id" = l."idService"
  where l."id" = p."idLine" and p."sold" is not null and not p."sold" ? 'service';
