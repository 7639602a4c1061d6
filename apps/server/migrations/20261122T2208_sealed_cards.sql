-- The reason for which this user has opened the sealed card of this patient within so many hours; null: none.
create function opened_because("user" bigint, customer bigint, hours integer) returns text language plpgsql stable as $$
begin
  return (select l.basis from access_log l where l."idCustomer" = customer and l."idUser" = "user" and l.action = 'open'
    and l.dt > now() - make_interval(hours => hours) order by l.dt desc limit 1);
end $$;
