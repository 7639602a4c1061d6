-- The same on PostgreSQL 15 as on newer ones: 15 has no pg_input_is_valid. Addresses mixed of both kinds, which nobody
-- connects from, stand for themselves now.
create or replace function network_of(address text) returns text language sql immutable parallel safe as $$
  select case when address ~* '^(([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,7}:|([0-9a-f]{1,4}:){1,6}(:[0-9a-f]{1,4}){1,1}|([0-9a-f]{1,4}:){1,5}(:[0-9a-f]{1,4}){1,2}|([0-9a-f]{1,4}:){1,4}(:[0-9a-f]{1,4}){1,3}|([0-9a-f]{1,4}:){1,3}(:[0-9a-f]{1,4}){1,4}|([0-9a-f]{1,4}:){1,2}(:[0-9a-f]{1,4}){1,5}|([0-9a-f]{1,4}:){1,1}(:[0-9a-f]{1,4}){1,6}|:((:[0-9a-f]{1,4}){1,7}|:))$'
    then host(network(set_masklen(address::inet, 64))) else replace(address, '::ffff:', '') end
$$;
reindex index "live_assist_visitors_network";
