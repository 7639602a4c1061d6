-- Sign-in, the clinic's settings and the journal of access: what stands beside the entities.

CREATE TABLE user_secrets (
  "idUser" bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  "passwordHash" text NOT NULL,
  "mustChange" boolean NOT NULL DEFAULT false,
  "dateChange" timestamptz NOT NULL DEFAULT now()
);

-- The refresh token itself is nowhere: only the hash of the latest one, and how many came before it.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  "idUser" bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  "refreshHash" bytea NOT NULL,
  "refreshCount" integer NOT NULL DEFAULT 0,
  "dateRefresh" timestamptz NOT NULL DEFAULT now(),
  remember boolean NOT NULL DEFAULT false,
  ip text,
  "userAgent" text,
  "dateCreate" timestamptz NOT NULL DEFAULT now(),
  "lastSeen" timestamptz NOT NULL DEFAULT now(),
  "expiresAt" timestamptz NOT NULL,
  "endedAt" timestamptz,
  "endReason" text
);
CREATE INDEX "sessions_open" ON sessions ("idUser") WHERE "endedAt" IS NULL;
CREATE INDEX "sessions_expiresAt" ON sessions ("expiresAt");

-- One row per account (by the hash of what was typed) and per address.
CREATE TABLE login_attempts (
  key text PRIMARY KEY,
  fails integer NOT NULL,
  "lastFail" timestamptz NOT NULL DEFAULT now(),
  "lockedUntil" timestamptz
);
CREATE INDEX "login_attempts_lastFail" ON login_attempts ("lastFail");

CREATE TABLE common_settings (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  "dateChange" timestamptz NOT NULL DEFAULT now(),
  "idUser" bigint
);

-- Who did what with whose data. Rows are only added; a month is dropped whole when its time is over.
CREATE TABLE access_log (
  id bigint GENERATED ALWAYS AS IDENTITY,
  dt timestamptz NOT NULL DEFAULT now(),
  "idUser" bigint,
  ip text,
  action text NOT NULL,
  "entityType" text,
  "idEntity" bigint,
  "idCustomer" bigint,
  fields text[],
  basis text,
  "requestId" text,
  PRIMARY KEY (dt, id)
) PARTITION BY RANGE (dt);
CREATE INDEX "access_log_idUser" ON access_log ("idUser", dt);
CREATE INDEX "access_log_idCustomer" ON access_log ("idCustomer", dt) WHERE "idCustomer" IS NOT NULL;
CREATE INDEX "access_log_entity" ON access_log ("entityType", "idEntity", dt);

SELECT ensure_month_partitions('access_log');

CREATE FUNCTION access_log_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'access_log is append-only';
END $$;
CREATE TRIGGER access_log_keep BEFORE UPDATE OR DELETE ON access_log FOR EACH ROW EXECUTE FUNCTION access_log_keep();
