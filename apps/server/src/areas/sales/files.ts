import { LeadFile, SalesFile } from '@ordinator/model/areas/sales/file'
import { records } from '../../records/define.ts'
import { fileComputed } from '../files/index.ts'

/** Whoever may see deals may see their files: deals have no row scope. */
export const salesFiles = records(SalesFile, { computed: fileComputed })
export const leadFiles = records(LeadFile)
