import { LeadFile, SalesFile } from '@ordinator/model/areas/sales/file'
import { fileRecords } from '#areas/files/index.ts'
import { records } from '#records/define.ts'

/** Users who see deals may see their files: deals have no row scope. */
export const salesFiles = fileRecords(SalesFile)
export const leadFiles = records(LeadFile)
