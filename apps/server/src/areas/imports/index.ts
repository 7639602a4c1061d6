import { Import } from '@ordinator/model/areas/imports/import'
import sql from 'sql-template-tag'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'

/** Files taken in as records. */
export const imports: Area = {
  name: 'imports',
  records: [records(Import, { scope: { view: ({ row, me }) => sql`${row}."idUser" = ${me}` } })],
}
