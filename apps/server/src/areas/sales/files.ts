import { LeadFile, SalesFile } from '@ordinator/model/areas/sales/file'
import { records } from '../../records/define.ts'
import { fileRecords } from '../files/index.ts'

/** Whoever may see deals may see their files: deals have no row scope. */
export const salesFiles = fileRecords(SalesFile)
export const leadFiles = records(LeadFile)
