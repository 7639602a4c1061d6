-- Pictures of the clinic's settings by what they are: a change of the setting names one, and the former stays for the way back.
CREATE TABLE setting_pictures (
  name text PRIMARY KEY,
  bytes bytea NOT NULL,
  "dateCreate" timestamptz NOT NULL DEFAULT now()
);
