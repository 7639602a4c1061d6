-- Lines of the journal of access on their way to it, from servers whose machine may be lost (records/journalBlocks.ts).
create table access_blocks (
  "id" bigint generated always as identity primary key,
  "lines" text not null
);
