/** What an upgrade adds to the permissions, and to whom. */
import { permissionNames } from '@ordinator/model/permissions'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { grantNewPermissions } from './newPermissions.ts'

let clinic: Clinic
/** Two permissions that, so to say, the next program brings. */
const fresh = permissionNames.slice(-2)
beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'whole', permissionNames.slice(0, -2))
      await addPerson(app, 'part', permissionNames.slice(0, -3))
    },
  })
})
afterAll(() => clinic.close())

const roleOf = async (name: string) =>
  (await clinic.db.one<{ permissions: string[] }>(sql`select "permissions" from roles where "name" = ${name}`))
    ?.permissions
const ownOf = async (login: string) =>
  (
    await clinic.db.query<{ permission: string }>(sql`
      select p."permission" from user_permissions p join users u on u."id" = p."idUser" where u."login" = ${login}`)
  ).map(({ permission }) => permission)
const before = async () => {
  await clinic.db.query(sql`delete from known_permissions where "name" = any(${fresh}::text[])`)
  await clinic.db.query(
    sql`update roles set "permissions" = array(select unnest("permissions") except select unnest(${fresh}::text[]))`,
  )
}

it('whoever held all holds it all again, and it is told', async () => {
  await before()
  const banner = clinic.context.banner.length
  await Promise.all([grantNewPermissions(clinic.context), grantNewPermissions(clinic.context)])
  expect((await roleOf('Администратор'))?.toSorted()).toEqual(permissionNames.toSorted())
  expect(await roleOf('Руководитель')).not.toEqual(expect.arrayContaining([...fresh]))
  expect((await ownOf('whole')).toSorted()).toEqual(permissionNames.toSorted())
  expect(await ownOf('part')).toHaveLength(permissionNames.length - 3)
  expect(clinic.context.banner.slice(banner)).toEqual([
    expect.stringMatching(
      /^Обновление добавило права: «.+», «.+»\. Их получили те, у кого были все: роль «Администратор», whole$/,
    ),
  ])
})

it('what was taken from a role on purpose stays taken', async () => {
  await clinic.db.query(
    sql`update roles set "permissions" = array_remove("permissions", ${fresh[0]}) where "name" = 'Администратор'`,
  )
  await grantNewPermissions(clinic.context)
  expect(await roleOf('Администратор')).not.toContain(fresh[0])
})

it('a base of a program that kept no count gives the most that anybody holds its missing ones', async () => {
  await before()
  await clinic.db.query(sql`delete from user_permissions`)
  await clinic.db.query(sql`delete from known_permissions`)
  await grantNewPermissions(clinic.context)
  expect((await roleOf('Администратор'))?.toSorted()).toEqual(permissionNames.toSorted())
})
