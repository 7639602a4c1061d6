-- When a picture of examinations was last uploaded or put into a form: what no form names goes a while after it.
ALTER TABLE examination_pictures ADD COLUMN "dateUsed" timestamptz NOT NULL DEFAULT now();
