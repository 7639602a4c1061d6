-- was 273ec0afbb47d19ef86f6824168551df8e90208d20cb419a2f38dd7720d15170
-- Bytes of files that each sender has sent on a day of the clinic: a person, a visitor of a chat, a site, a channel.
create table sent_bytes (
  who text not null,
  day date not null,
  bytes bigint not null,
  primary key (who, day)
);
insert into sent_bytes (who, day, bytes) select 'user:' || "idUser", day, bytes from upload_bytes;
drop table upload_bytes;

-- Whose address it is: of IPv6 a customer has the whole /64. What is no address stands for itself.
create function network_of(address text) returns text language sql immutable parallel safe as $$
  select case when address ~* '^(([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,7}:|([0-9a-f]{1,4}:){1,6}(:[0-9a-f]{1,4}){1,1}|([0-9a-f]{1,4}:){1,5}(:[0-9a-f]{1,4}){1,2}|([0-9a-f]{1,4}:){1,4}(:[0-9a-f]{1,4}){1,3}|([0-9a-f]{1,4}:){1,3}(:[0-9a-f]{1,4}){1,4}|([0-9a-f]{1,4}:){1,2}(:[0-9a-f]{1,4}){1,5}|([0-9a-f]{1,4}:){1,1}(:[0-9a-f]{1,4}){1,6}|:((:[0-9a-f]{1,4}){1,7}|:))$'
    then host(network(set_masklen(address::inet, 64))) else replace(address, '::ffff:', '') end
$$;
drop index "live_assist_visitors_consentIp";
create index "live_assist_visitors_network" on "live_assist_visitors" (network_of("consentIp"), "dateCreate");
