/** Grants of permissions that an upgrade adds. */
import { permissionNames } from '@ordinator/model/permissions'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { grantNewPermissions } from './newPermissions.ts'

let clinic: Clinic
/** Two permissions in place of an upgrade's new ones. */
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

it('holders of all permissions get the new ones, and it is reported', async () => {
  await before()
  const banner = clinic.context.banner.length
  await Promise.all([grantNewPermissions(clinic.context), grantNewPermissions(clinic.context)])
  expect((await roleOf('Полный доступ'))?.toSorted()).toEqual(permissionNames.toSorted())
  expect(await roleOf('Руководитель')).not.toEqual(expect.arrayContaining([...fresh]))
  expect((await ownOf('whole')).toSorted()).toEqual(permissionNames.toSorted())
  expect(await ownOf('part')).toHaveLength(permissionNames.length - 3)
  expect(clinic.context.banner.slice(banner)).toEqual([
    expect.stringMatching(
      /^Обновление добавило права: «.+», «.+»\. Их получили те, у кого были все: роль «Полный доступ», whole$/,
    ),
  ])
})

it('permissions removed from a role on purpose stay removed', async () => {
  await clinic.db.query(
    sql`update roles set "permissions" = array_remove("permissions", ${fresh[0]}) where "name" = 'Полный доступ'`,
  )
  await grantNewPermissions(clinic.context)
  expect(await roleOf('Полный доступ')).not.toContain(fresh[0])
})

it('a database without a record of the last start grants them to the holders of the most', async () => {
  await before()
  await clinic.db.query(sql`delete from user_permissions`)
  await clinic.db.query(sql`delete from known_permissions`)
  await grantNewPermissions(clinic.context)
  expect((await roleOf('Полный доступ'))?.toSorted()).toEqual(permissionNames.toSorted())
})
