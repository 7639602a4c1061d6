-- When the password was given last in this session: what is grave asks for it again.
alter table sessions add column "dateProof" timestamptz not null default now();

alter table roles add column "requiresFactor" boolean not null default false;

-- Second factors of a person: an application with codes (RFC 6238), whose secret is encrypted, or a passkey (WebAuthn).
create table user_factors (
  "id" bigint generated always as identity primary key,
  "idUser" bigint not null references users ("id") on delete cascade,
  "kind" text not null check ("kind" in ('totp', 'passkey')),
  "name" text not null,
  "secret" text not null default '',
  -- Of the last code that was taken, so that none is taken twice.
  "usedStep" bigint,
  "credential" text unique,
  "publicKey" bytea,
  "counter" bigint not null default 0,
  "transports" text[] not null default '{}',
  -- Null: the first code has not been given yet.
  "dateConfirmed" timestamptz,
  "dateCreate" timestamptz not null default now(),
  "dateUsed" timestamptz
);
create index "user_factors_user" on user_factors ("idUser");

create table user_recovery_codes (
  "id" bigint generated always as identity primary key,
  "idUser" bigint not null references users ("id") on delete cascade,
  "hash" bytea not null,
  "dateUsed" timestamptz
);
create index "user_recovery_codes_user" on user_recovery_codes ("idUser");

-- What a passkey has to sign, each once.
create table passkey_challenges (
  "challenge" text primary key,
  "idUser" bigint not null references users ("id") on delete cascade,
  "purpose" text not null check ("purpose" in ('add', 'signIn')),
  "dateExpires" timestamptz not null
);
