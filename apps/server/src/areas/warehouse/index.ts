import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'
import { demo } from './demo.ts'

/** Where goods lie. What is there, and how it goes in and out, is yet to come. */
export const warehouse: Area = {
  name: 'warehouse',
  title: 'Склад',
  records: [records(Warehouse)],
  demo,
}
