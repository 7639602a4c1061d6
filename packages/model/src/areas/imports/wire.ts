import { z } from 'zod'
import { type FileEncoding, fileEncodings, HEAD_LINES } from './encodings.ts'

const importError = z.object({
  /** From 1, the head not counted. */
  row: z.int(),
  /** Name of the column; empty: the row as a whole. */
  field: z.string(),
  message: z.string(),
  /** The row is taken in all the same; this is to be known of it. */
  note: z.boolean().optional(),
  /** Of an import that was taken back: a record that stays, and why. */
  kept: z.boolean().optional(),
})
/** What could not be taken in, by row of the file. */
export type ImportError = z.output<typeof importError>

export const importColumn = z.object({
  name: z.string(),
  required: z.boolean().optional(),
  /** Two examples for the file that people fill in. */
  examples: z.tuple([z.string(), z.string()]).readonly().optional(),
})
/** What an importer can take in, as the preview tells it. */
export type ImportColumn = z.output<typeof importColumn>

/** Which column of the file (from 0) each of the importer's columns is taken from. */
export const importMapping = z.record(z.string().max(100), z.int().min(0).max(1_000))
export type ImportMapping = z.output<typeof importMapping>

/** How a table is read, where a person has chosen it; absent: the likeliest. */
export const tableReading = z.strictObject({
  encoding: z.enum(Object.keys(fileEncodings) as [FileEncoding, ...FileEncoding[]]).optional(),
  /** Line of the file, from 1, that names the columns. */
  headLine: z.int().min(1).max(HEAD_LINES).optional(),
})
export type TableReading = z.output<typeof tableReading>

export const importPreview = z.object({
  /** Names the stored file for the start of the import; it is kept for an hour. */
  upload: z.string(),
  fileName: z.string(),
  /** Columns of the file in their order, each with up to three values. Empty where the file is not a table. */
  head: z.array(z.object({ name: z.string(), samples: z.array(z.string()) })),
  /** How the table was read; absent where the file is not a table. A spreadsheet has no encoding. */
  reading: tableReading.optional(),
  /** The first lines of a table as they stand, to choose the head from. */
  lines: z.array(z.array(z.string())),
  columns: z.array(importColumn),
  mapping: importMapping,
  total: z.int(),
  /** Rows that have an error. */
  wrong: z.int(),
  /** Rows that are passed over by choice; a note says why. */
  skipped: z.int(),
  /** The first rows as they would be, and after them the first wrong ones; by name of the importer's column. */
  rows: z.array(z.object({ row: z.int(), values: z.record(z.string(), z.string()) })),
  errors: z.array(importError),
  /** How many errors there are; `errors` holds the first of them. */
  errorsTotal: z.int(),
})
/** The answer to an uploaded file, before anything is made of it. */
export type ImportPreview = z.output<typeof importPreview>

export const importErrors = z.object({ total: z.int(), items: z.array(importError) })

const importChanged = z.object({
  path: z.string(),
  idEntity: z.int(),
  title: z.string(),
  /** Who changed it last. */
  user: z.string(),
})
/** A record of an import that somebody else has changed since. */
export type ImportChanged = z.output<typeof importChanged>
export const importChanges = z.object({ total: z.int(), items: z.array(importChanged) })
