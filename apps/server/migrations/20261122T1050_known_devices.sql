-- Browsers that somebody has signed in from: a stranger's wrong passwords do not keep these out. The device is a hash.
create table known_devices (
  "idUser" bigint not null references users (id) on delete cascade,
  device text not null,
  "lastSeen" timestamptz not null default now(),
  primary key ("idUser", device)
);

-- Bytes of files that each person has sent on a day of the clinic.
create table upload_bytes (
  "idUser" bigint not null references users (id) on delete cascade,
  day date not null,
  bytes bigint not null,
  primary key ("idUser", day)
);
