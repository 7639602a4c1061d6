import { z } from 'zod'
import { type FileEncoding, fileEncodings, HEAD_LINES } from './encodings.ts'

const importError = z.object({
  /** From 1, without the header. */
  row: z.int(),
  /** Name of the column; empty: the whole row. */
  field: z.string(),
  message: z.string(),
  /** A warning: the row is imported all the same. */
  note: z.boolean().optional(),
  /** After a revert: a record that stays, and why. */
  kept: z.boolean().optional(),
})
/** A problem of a row of the file. */
export type ImportError = z.output<typeof importError>

export const importColumn = z.object({
  name: z.string(),
  required: z.boolean().optional(),
  /** Two examples for the template file. */
  examples: z.tuple([z.string(), z.string()]).readonly().optional(),
})
/** A column that an importer accepts. */
export type ImportColumn = z.output<typeof importColumn>

/** File column (from 0) of each importer column. */
export const importMapping = z.record(z.string().max(100), z.int().min(0).max(1_000))
export type ImportMapping = z.output<typeof importMapping>

/** Parse options chosen by the user; absent: detected. */
export const tableReading = z.strictObject({
  encoding: z.enum(Object.keys(fileEncodings) as [FileEncoding, ...FileEncoding[]]).optional(),
  /** Line of the header, from 1. */
  headLine: z.int().min(1).max(HEAD_LINES).optional(),
  /** Sheet of a workbook; absent: the fullest. */
  sheet: z.string().max(100).optional(),
})
export type TableReading = z.output<typeof tableReading>

export const importPreview = z.object({
  /** Id of the stored file for the start of the import; kept for an hour. */
  upload: z.string(),
  fileName: z.string(),
  /** Columns of the file in order, each with up to three values. Empty if the file is not a table. */
  head: z.array(z.object({ name: z.string(), samples: z.array(z.string()) })),
  /** Parse options in use; absent if the file is not a table. A spreadsheet has no encoding. */
  reading: tableReading.optional(),
  /** Sheets of a workbook that are not empty. */
  sheets: z.array(z.object({ name: z.string(), rows: z.int() })).optional(),
  /** Raw first lines of a table, to choose the header from. */
  lines: z.array(z.array(z.string())),
  columns: z.array(importColumn),
  mapping: importMapping,
  total: z.int(),
  /** Rows that have an error. */
  wrong: z.int(),
  /** Rows skipped by choice; with a note. */
  skipped: z.int(),
  /** The first rows as they would be imported, then the first invalid ones; by importer column. */
  rows: z.array(z.object({ row: z.int(), values: z.record(z.string(), z.string()) })),
  errors: z.array(importError),
  /** Number of errors; `errors` holds the first ones. */
  errorsTotal: z.int(),
})
/** Response to an uploaded file, before the import starts. */
export type ImportPreview = z.output<typeof importPreview>

export const importErrors = z.object({ total: z.int(), items: z.array(importError) })

const importChanged = z.object({
  path: z.string(),
  idEntity: z.int(),
  title: z.string(),
  /** The last editor. */
  user: z.string(),
})
/** An imported record that another user has changed since. */
export type ImportChanged = z.output<typeof importChanged>
export const importChanges = z.object({ total: z.int(), items: z.array(importChanged) })
