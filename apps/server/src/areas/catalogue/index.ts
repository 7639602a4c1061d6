import { Service, ServiceGroup, ServiceType } from '@ordinator/model/areas/catalogue/service'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'

/** Services and products. */
export const catalogue: Area = {
  name: 'catalogue',
  records: [records(ServiceType), records(ServiceGroup), records(Service)],
}
