import { Import } from '@ordinator/model/areas/imports/import'
import sql from 'sql-template-tag'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { cancel, changed, check, errors, preview, revert, start, template } from './calls.ts'
import { importUndos } from './revert.ts'
import { importRuns } from './run.ts'
import { sweepUploads } from './uploads.ts'

export { byNames, plainName, plainNameSql, shortNames } from './byName.ts'
export {
  isNoDay,
  readBookSum,
  readDay,
  readList,
  readMoment,
  readMoney,
  readParagraphs,
  readParts,
  readYesNo,
} from './cells.ts'
export { columnsFor } from './columns.ts'
export {
  type AnyImporter,
  type Cells,
  type Checked,
  checkRow,
  dropped,
  guessMapping,
  type ImportContext,
  type Importer,
  type ImporterColumn,
  importerOf,
  type Made,
  offerImporter,
} from './importer.ts'
export { rememberedMapping, rememberMapping } from './memory.ts'
export { readTable, refuse as refuseFile } from './read.ts'
export { given, type RowReader, rowReader } from './row.ts'
export { inSavepoint } from './run.ts'

/** Import of files as records. Areas offer their importers by `offerImporter`. */
export const imports: Area = {
  name: 'imports',
  title: 'Импорт',
  records: [records(Import, { scope: { view: ({ row, me }) => sql`${row}."idUser" = ${me}` } })],
  operations: [preview, check, template, start, cancel, changed, revert, errors],
  runs: [importRuns, importUndos],
  start(app) {
    app.jobs.register('imports.sweep', { cron: '*/15 * * * *', handler: () => sweepUploads(app) })
  },
}
