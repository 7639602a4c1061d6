-- Each setting of the clinic has a version, each change of it a line that stays.
ALTER TABLE common_settings ADD COLUMN version integer NOT NULL DEFAULT 1;

CREATE TABLE common_setting_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  -- Null: the value by default. Of a secret only whether there is one.
  "from" jsonb,
  "to" jsonb,
  version integer NOT NULL,
  "idUser" bigint,
  "dateCreate" timestamptz NOT NULL DEFAULT now(),
  "idUndone" bigint REFERENCES common_setting_changes (id)
);
CREATE INDEX "common_setting_changes_name" ON common_setting_changes (name, id);

-- Secrets stand beside the settings, where no answer and no history reaches them.
CREATE TABLE common_setting_secrets (
  name text PRIMARY KEY,
  value text NOT NULL
);
