import { UserPermission, UserRole } from '@ordinator/model/areas/staff/role'
import { Speciality, User, type User as UserEntity } from '@ordinator/model/areas/staff/user'
import type { Create } from '@ordinator/model/entity'
import { hashPassword, storePassword } from '#auth/index.ts'
import type { Records } from '#records/records.ts'
import { DEMO_PASSWORD, type DemoPerson, demoFilials, demoStaff } from './demoStaff.ts'
import { createStandardRoles } from './standardRoles.ts'

/**
 * The staff of the demo clinic: roles, some thirty people, and the sign-ins `admin`, `manager` … with the password
 * `demo`.
 */
export async function demo(records: Records): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  await records.asSystem.tx(async (inner, tx) => {
    const roles = await createStandardRoles(inner)
    const ids = new Map<string, number>()
    for (const [index, person] of demoStaff.entries()) {
      const { id } = await inner.create(User, { ...bodyOf(person, index), ...(await workOf(inner, person, index)) })
      await inner.create(UserRole, { idUser: id, idRole: roles[person.role] })
      await storePassword(tx, id, passwordHash, false)
      ids.set(person.login, id)
    }
    // A right of one person beyond the role, as an example for the explainer.
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
    // Phone numbers of an unassigned range.
    phone: `+7900000${String(1000 + index)}`,
    email: `${login}@clinic.example`,
    description: about ? `${place}. ${about}` : place,
    ...(sip ? { sipPhone: sip } : {}),
    ...(isLiveAssist ? { isLiveAssist } : {}),
  }
}

const colors = ['#228be6', '#12b886', '#7950f2', '#fd7e14', '#e64980', '#15aabf', '#82c91e', '#fab005']

/** Data of a doctor: the speciality of the post, a colour, documents; one of them expires soon. */
async function workOf(
  records: Records,
  { role, post }: DemoPerson,
  index: number,
): Promise<Partial<Create<typeof UserEntity>>> {
  const [, named] = /^Врач[- ]([а-яё -]+)/i.exec(post) ?? []
  if (role !== 'doctor' || !named) return {}
  const name = `${named[0]?.toUpperCase()}${named.slice(1)}`
  const known = (await records.rows(Speciality, { 'filter[name]': name, limit: 1 }))[0]
  const { id } = known ?? (await records.create(Speciality, { name }))
  const ends = new Date(Date.now() + (index % 9 === 3 ? 30 : 400 + index * 20) * 86_400_000)
  return {
    idSpeciality: id,
    color: colors[index % colors.length],
    certificateNumber: `0377${String(180_000 + index * 37)}`,
    certificateTo: ends.toISOString().slice(0, 10),
  }
}
