import { UserPermission, UserRole } from '@ordinator/model/areas/staff/role'
import { User, type User as UserEntity } from '@ordinator/model/areas/staff/user'
import type { Create } from '@ordinator/model/entity'
import { hashPassword, storePassword } from '../../auth/index.ts'
import type { Records } from '../../records/records.ts'
import { DEMO_PASSWORD, type DemoPerson, demoFilials, demoStaff } from './demoStaff.ts'
import { createStandardRoles } from './standardRoles.ts'

/** The staff of the demo clinic: roles, some thirty people, and the sign-ins `admin`, `manager` … with the password `demo`. */
export async function demo(records: Records): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  await records.asSystem.tx(async (inner, tx) => {
    const roles = await createStandardRoles(inner)
    const ids = new Map<string, number>()
    for (const [index, person] of demoStaff.entries()) {
      const { id } = await inner.create(User, bodyOf(person, index))
      await inner.create(UserRole, { idUser: id, idRole: roles[person.role] })
      await storePassword(tx, id, passwordHash, false)
      ids.set(person.login, id)
    }
    // A right of one person beyond the role, to be seen in the explainer.
    await inner.create(UserPermission, {
      idUser: ids.get('operator') as number,
      permission: 'viewAppealAnalytics',
      reason: 'Готовит недельный отчёт по обращениям',
    })
    await tx.query({
      text: `update users set "lastActive" = now() - make_interval(mins => (id * 37 % 2880)::int + 5) where id = any($1::bigint[])`,
      values: [[...ids.values()]],
    })
  })
}

function bodyOf(
  { fio, login, post, filial, birthday, sip, isLiveAssist, about }: DemoPerson,
  index: number,
): Create<typeof UserEntity> {
  const [surname = '', name = '', middleName = ''] = fio.split(' ')
  const place = filial === 2 ? demoFilials[2] : `Филиал ${demoFilials[filial]}`
  return {
    surname,
    name,
    middleName,
    login,
    post,
    birthday,
    sex: /(вна|чна|шна)$/.test(middleName) ? 'female' : 'male',
    // Numbers of the range that is given to nobody.
    phone: `+7900000${String(1000 + index)}`,
    email: `${login}@clinic.example`,
    description: about ? `${place}. ${about}` : place,
    ...(sip ? { sipPhone: sip } : {}),
    ...(isLiveAssist ? { isLiveAssist } : {}),
  }
}
