import { Customer } from '@ordinator/model/areas/customers/customer'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'
import { fioSql, shortFioSql } from '../staff/index.ts'
import { demoCustomers } from './demoCustomers.ts'

/** The clinic's patients. */
export const customers: Area = {
  name: 'customers',
  title: 'Клиенты',
  records: [
    records(Customer, { computed: { fio: ({ row }) => fioSql(row), shortFio: ({ row }) => shortFioSql(row) } }),
  ],
  async demo(records) {
    for (const customer of demoCustomers()) await records.create(Customer, customer)
  },
}
