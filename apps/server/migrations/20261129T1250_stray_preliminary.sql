alter table "laboratory_strays" add column "preliminary" boolean not null default false;
