import { MembershipMove, MembershipUser } from '@ordinator/model/areas/memberships/membership'
import { MembershipItem, MembershipType } from '@ordinator/model/areas/memberships/type'
import { ValidationError } from '#platform/errors.ts'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { demo } from './demo.ts'
import { freeze, refund, unfreeze } from './freeze.ts'
import { liabilities } from './reports.ts'

export { chooseMembership, coverVisit } from './cover.ts'
export { readOffers } from './offers.ts'

const items = records(MembershipItem, {
  hooks: {
    prepare(value, before) {
      const { idService, idGroup } = { ...before, ...value }
      if (!idService === !idGroup)
        throw new ValidationError([{ field: 'idService', message: 'Выберите услугу или группу' }])
    },
  },
})

/** Memberships and packages: types, what they pay for, freezing. Their money is in the area of money. */
export const memberships: Area = {
  name: 'memberships',
  title: 'Абонементы',
  records: [records(MembershipType), items, records(MembershipUser), records(MembershipMove)],
  operations: [refund, freeze, unfreeze],
  reports: [liabilities],
  demo,
}
