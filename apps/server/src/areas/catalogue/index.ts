import { Service, ServiceGroup, ServiceType } from '@ordinator/model/areas/catalogue/service'
import sql from 'sql-template-tag'
import { HttpError } from '../../platform/errors.ts'
import type { Area } from '../../records/area.ts'
import { records } from '../../records/define.ts'
import { refuseCircle } from '../../records/tree.ts'
import { demo } from './demo.ts'

const groups = records(ServiceGroup, {
  hooks: {
    beforeUpdate: ({ tx }, value, before) =>
      refuseCircle(tx, ServiceGroup, 'idParentGroup', before.id, value.idParentGroup),
    async beforeDelete({ tx }, { id }) {
      const inside = await tx.one(sql`
        select 1 from services where "idGroup" = ${id} and not "deleted"
        union all select 1 from services_groups where "idParentGroup" = ${id} and not "deleted" limit 1`)
      if (inside) throw new HttpError(409, 'В группе есть услуги или группы', { code: 'notEmpty' })
    },
  },
})

/** Services and products. */
export const catalogue: Area = {
  name: 'catalogue',
  title: 'Услуги и цены',
  records: [records(ServiceType), groups, records(Service)],
  demo,
}
