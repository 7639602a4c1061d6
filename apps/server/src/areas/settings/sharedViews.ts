/** Saved views of lists that are shared with the holders of a role. */
import { holds } from '@ordinator/model/access'
import { settingsCalls } from '@ordinator/model/areas/settings/calls'
import { MAX_SHARED_VIEWS, SharedView } from '@ordinator/model/areas/settings/sharedView'
import sql from 'sql-template-tag'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'

/** A list's state takes some hundred characters; the limit keeps a stored view from being a store of anything else. */
const MAX_CHARACTERS = 20_000

export const sharedViews = records(SharedView, {
  scope: {
    view: ({ row, me }) =>
      sql`(${row}."idUser" = ${me} or ${row}."idRole" in (select "idRole" from user_roles where "idUser" = ${me}))`,
    update: ({ row, me }) => sql`${row}."idUser" = ${me}`,
    unless: 'editUsers',
  },
  computed: { roleName: ({ row }) => sql`(select "name" from roles where "id" = ${row}."idRole")` },
  hooks: { prepare: ({ value }) => checkSize(value) },
})

function checkSize(value: unknown): void {
  if (value !== undefined && JSON.stringify(value).length > MAX_CHARACTERS)
    throw new ValidationError([{ field: 'value', message: 'Слишком большой вид: уберите часть условий' }])
}

export const shareView = operation(settingsCalls.shareView, ({ actor, records: engine, body }) =>
  engine.tx(async (inner, tx) => {
    // Also serializes those who share with the same role, for the limit.
    const role = await tx.one<{ isOwn: boolean }>(sql`select exists (select 1 from user_roles u
        where u."idRole" = r."id" and u."idUser" = ${actor.id}) as "isOwn"
      from roles r where r."id" = ${body.idRole} for update`)
    if (!role || !(role.isOwn || holds(actor, 'editUsers')))
      throw new ValidationError([{ field: 'idRole', message: 'Показать можно роли, которая есть у вас' }])
    const kept = await tx.one<{ count: number }>(sql`select count(*)::int as count from shared_views
      where "screen" = ${body.screen} and "idRole" = ${body.idRole} and not "deleted"`)
    if ((kept?.count ?? 0) >= MAX_SHARED_VIEWS)
      throw new HttpError(409, `У роли уже ${MAX_SHARED_VIEWS} общих видов этого списка: удалите лишние`, {
        code: 'tooMany',
      })
    const made = await inner.asSystem.create(SharedView, { ...body, idUser: actor.id })
    return inner.row(SharedView, made.id)
  }),
)
