import { StaffPhoto } from '@ordinator/model/areas/staff/photo'
import { Speciality } from '@ordinator/model/areas/staff/user'
import { fileRecords } from '#areas/files/index.ts'
import type { Area } from '#records/area.ts'
import { records } from '#records/define.ts'
import { accountOperation, badgesOperation } from './account.ts'
import { accountsOperations } from './accounts.ts'
import { avatarOperations } from './avatar.ts'
import { demo } from './demo.ts'
import { explainOperation } from './explain.ts'
import { firstStart, printDemoLogins, printFirstPassword } from './firstStart.ts'
import { offerStaff } from './importStaff.ts'
import { grantNewPermissions } from './newPermissions.ts'
import { presenceOperations } from './presence.ts'
import { roles, userPermissions, userRoles } from './roles.ts'
import { users } from './user.ts'

export { demoFilials, demoStaff } from './demoStaff.ts'
export { standardRoles } from './standardRoles.ts'
export { fioSql, followsWork, ifFound, loginSql, shortFioSql } from './user.ts'

/** Employees, their roles and rights. */
export const staff: Area = {
  name: 'staff',
  title: 'Сотрудники и роли',
  records: [users, records(Speciality), fileRecords(StaffPhoto), roles, userRoles, userPermissions],
  operations: [
    ...presenceOperations,
    ...avatarOperations,
    ...accountsOperations,
    explainOperation,
    accountOperation,
    badgesOperation,
  ],
  start(app) {
    offerStaff(app)
    // In the demo clinic `demo` creates the staff.
    if (!app.config.demo) {
      app.onReady(() => firstStart(app))
      app.onListening(() => printFirstPassword(app))
    }
    app.onReady(() => printDemoLogins(app))
    app.onReady(() => grantNewPermissions(app))
  },
  demo,
}
