import { Customer } from '@ordinator/model/areas/customers/customer'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'
import { fioSql, shortFioSql } from '../staff/index.ts'

/** The clinic's patients. */
export const customers: Area = {
  name: 'customers',
  records: [
    records(Customer, { computed: { fio: ({ row }) => fioSql(row), shortFio: ({ row }) => shortFioSql(row) } }),
  ],
}
