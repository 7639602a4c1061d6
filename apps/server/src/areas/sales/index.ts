import { Lead } from '@ordinator/model/areas/sales/lead'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'

/** Deals. */
export const sales: Area = { name: 'sales', records: [records(Lead)] }
