import { ownSettingCalls } from '@ordinator/model/areas/settings/calls'
import { userSettingChecks } from '@ordinator/model/areas/settings/checks'
import { UserSetting } from '@ordinator/model/areas/settings/userSetting'
import {
  type UserSettingGroup,
  type UserSettingGroups,
  userSettingDefaults,
  userSettingGroups,
} from '@ordinator/model/areas/settings/userSettings'
import { messages } from '@ordinator/model/messages'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'
import { type Operation, type OperationContext, operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { readCommonSettings } from './read.ts'

/** A user's three groups of settings, complete: missing values have the specification's defaults. */
export async function readUserSettings(db: Queryable, idUser: number): Promise<UserSettingGroups> {
  const rows = await db.query<{ name: UserSettingGroup; value: object }>({
    name: 'user-settings',
    text: 'select name, value from user_settings where "idUser" = $1 and not deleted and name = any($2)',
    values: [idUser, userSettingGroups],
  })
  const { tableBorders, examinationColors } = await readCommonSettings(db)
  const byClinic: Partial<UserSettingGroups['main']> = {
    showTableBorders: tableBorders,
    showExaminationColors: examinationColors,
  }
  const stored = new Map(rows.map((row) => [row.name, row.value]))
  const entries = userSettingGroups.map((group) => [
    group,
    { ...userSettingDefaults[group], ...(group === 'main' && byClinic), ...known(group, stored.get(group)) },
  ])
  return Object.fromEntries(entries) as unknown as UserSettingGroups
}

/** The stored group without unknown or invalid values. */
function known(group: UserSettingGroup, stored: object | undefined): object {
  return Object.fromEntries(
    Object.entries(stored ?? {}).filter(
      ([name, value]) =>
        Object.hasOwn(userSettingDefaults[group], name) &&
        userSettingChecks[group].safeParse({ [name]: value }).success,
    ),
  )
}

/** `notifications` has an `id` in the specification; it is the user's own and is never written. */
const shown = <G extends UserSettingGroup>(group: G, value: UserSettingGroups[G], idUser: number) =>
  group === 'notifications' ? { id: idUser, ...value } : value

/** @throws ValidationError that names unknown or invalid keys */
function checkedPart(group: UserSettingGroup, given: object): object {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(userSettingDefaults[group], name))
  if (unknown.length)
    throw new ValidationError(unknown.map((name) => ({ field: name.slice(0, 64), message: messages.unknown })))
  const checked = userSettingChecks[group].safeParse(given)
  if (checked.success) return checked.data
  throw new ValidationError(
    checked.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })),
  )
}

const isGroup = (name: string): name is UserSettingGroup => (userSettingGroups as readonly string[]).includes(name)

/** Limits per person: the settings are read by others too, and must not grow without bounds. */
const MAX_SETTINGS = 300
const MAX_CHARACTERS = 2_000_000

const lengthOf = (value: unknown): number => JSON.stringify(value).length

/** @throws HttpError 409 when the number of settings or characters would exceed the limits */
async function checkRoom({ tx, actor }: WriteContext, settings: number, characters: number): Promise<void> {
  const kept = await tx.one<{ count: number; characters: number }>(sql`
    select count(*)::int as count, coalesce(sum(length("value"::text)), 0)::int as characters
    from user_settings where "idUser" = ${actor.id} and not "deleted"`)
  if (kept && (kept.count + settings > MAX_SETTINGS || kept.characters + characters > MAX_CHARACTERS))
    throw new HttpError(409, 'Сохранено слишком много настроек: удалите лишние виды списков', { code: 'tooMany' })
}

/** A user's settings as records: a group of the specification accepts the same values as its own call. */
export const userSettings = records(UserSetting, {
  scope: { view: ({ row, me }) => sql`${row}."idUser" = ${me}` },
  hooks: {
    prepare(value, before) {
      const name = value.name ?? before?.name
      if (name !== undefined && isGroup(name))
        Object.assign(value, { value: checkedPart(name, (value.value ?? before?.value ?? {}) as object) })
    },
    beforeCreate: (context, { value }) => checkRoom(context, 1, lengthOf(value)),
    async beforeUpdate(context, { value }, before) {
      const more = value === undefined ? 0 : lengthOf(value) - lengthOf(before.value)
      if (more > 0) await checkRoom(context, 0, more)
    },
  },
})

async function save(engine: Records, group: UserSettingGroup, body: Record<string, unknown>): Promise<void> {
  const { id: _id, ...given } = body
  const checked = checkedPart(group, given)
  await engine.tx(async (inner, tx) => {
    // Serialized: two tabs that save for the first time must not both create the row.
    await tx.query({
      text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: [`user-settings ${inner.actor.id}`],
    })
    const row = await tx.one<{ id: number; value: object }>({
      text: 'select id, value from user_settings where "idUser" = $1 and name = $2 and not deleted',
      values: [inner.actor.id, group],
    })
    const value = { ...known(group, row?.value), ...checked } as Record<string, unknown>
    if (row) await inner.update(UserSetting, row.id, { value })
    else await inner.create(UserSetting, { name: group, value })
  })
}

export const ownOperations: Operation[] = userSettingGroups.flatMap((group) => {
  const { read, write, post } = ownSettingCalls[group]
  const answer = async ({ app, actor }: Pick<OperationContext<typeof read>, 'app' | 'actor'>) =>
    shown(group, (await readUserSettings(app.db, actor.id))[group], actor.id)
  const change = async (context: Pick<OperationContext<typeof write>, 'app' | 'actor' | 'body' | 'records'>) => {
    await save(context.records, group, context.body)
    return answer(context)
  }
  return [operation(read, answer), operation(write, change), operation(post, change)]
})
