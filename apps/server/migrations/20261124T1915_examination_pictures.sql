-- Pictures that the clinic puts into the forms of examinations, by what they are: a form names one, and so do its versions for good.
CREATE TABLE examination_pictures (
  name text PRIMARY KEY,
  bytes bytea NOT NULL,
  "dateCreate" timestamptz NOT NULL DEFAULT now()
);
