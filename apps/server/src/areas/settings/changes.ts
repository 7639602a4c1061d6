/** Single path for writing the clinic's settings: each change has a version and a permanent line. */
import { isDeepStrictEqual } from 'node:util'
import { settingsCalls } from '@ordinator/model/areas/settings/calls'
import {
  type CommonSettingName,
  commonSettings,
  isSecret,
  isSettingName,
  secretsOf,
} from '@ordinator/model/areas/settings/commonSettings'
import { settingText } from '@ordinator/model/areas/settings/settingText'
import { type PersonName, shortFioOf } from '@ordinator/model/areas/staff/names'
import sql from 'sql-template-tag'
import { signal } from '#auth/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { checkFit } from './fit.ts'
import { settingsOf } from './read.ts'

interface Kept {
  value: unknown
  version: number
}

interface Terms {
  /** Versions as read by the user; a name without one is written in any case. */
  read: Readonly<Record<string, number>>
  /** Id of the change that this one undoes. */
  idUndone?: number
}

/**
 * Writes the differences. A null value means the default.
 * @throws HttpError 409 when another user has changed one of them since it was read; then nothing is written
 */
export async function changeSettings(
  app: AppContext,
  tx: Tx,
  idUser: number,
  value: Partial<Record<CommonSettingName, unknown>>,
  { read, idUndone }: Terms,
): Promise<void> {
  // One writer at a time: settings are few and change rarely.
  await tx.query({ text: "select pg_advisory_xact_lock(hashtextextended('common-settings', 0))" })
  const asked = Object.keys(value) as CommonSettingName[]
  const names = [...new Set([...asked, ...asked.flatMap(secretsOf)])]
  const rows = await tx.query<{ name: CommonSettingName } & Kept>({
    text: 'select name, value, version from common_settings where name = any($1)',
    values: [names],
  })
  const kept = new Map(rows.map((row) => [row.name, row]))
  // A setting that already has the value is no conflict.
  const changed = asked.filter((name) => isSecret(name) || !isDeepStrictEqual(valueNow(name, kept), value[name]))
  const disputed = changed.filter((name) => read[name] !== undefined && read[name] !== (kept.get(name)?.version ?? 0))
  if (disputed.length > 0) throw await disputeOf(tx, disputed, kept)
  for (const name of changed) await changeOne(tx, { name, idUser, given: value[name], now: kept.get(name), idUndone })
  // A secret is cleared when its address changes, because it was entered for the former one.
  for (const name of changed.flatMap(secretsOf))
    if (!asked.includes(name))
      await changeOne(tx, { name, idUser, given: '', now: kept.get(name), idUndone: undefined })
  // Tariff, modules, time zone and addresses affect everyone's rights.
  if (changed.length === 0) return
  await signal(tx, { all: true })
  for (const area of app.areas) await area.settingsChanged?.(app, tx)
}

/** The current value; the default if never set. */
const valueNow = (name: CommonSettingName, kept: ReadonlyMap<string, Kept>): unknown =>
  kept.get(name)?.value ?? commonSettings[name].byDefault

interface One {
  name: CommonSettingName
  idUser: number
  given: unknown
  now: Kept | undefined
  idUndone: number | undefined
}

async function changeOne(tx: Tx, { name, idUser, given, now, idUndone }: One): Promise<void> {
  let value = given
  if (isSecret(name)) {
    await keepSecret(tx, name, given as string)
    value = given !== ''
    if (!value && !now?.value) return
  }
  const version = (now?.version ?? 0) + 1
  const [from, to] = [now?.value ?? null, value].map((one) => JSON.stringify(one))
  await tx.query({
    text: `insert into common_settings (name, value, version, "idUser") values ($1, $2::jsonb, $3, $4)
      on conflict (name) do update set value = $2::jsonb, version = $3, "idUser" = $4, "dateChange" = now()`,
    values: [name, to, version, idUser],
  })
  await tx.query({
    text: `insert into common_setting_changes (name, "from", "to", version, "idUser", "idUndone")
      values ($1, nullif($2::jsonb, 'null'), nullif($3::jsonb, 'null'), $4, $5, $6)`,
    values: [name, from, to, version, idUser, idUndone ?? null],
  })
}

const keepSecret = (tx: Tx, name: string, value: string): Promise<unknown> =>
  tx.query(
    value === ''
      ? sql`delete from common_setting_secrets where name = ${name}`
      : sql`insert into common_setting_secrets (name, value)
          values (${name}, ${tx.cipher.encrypt('common_setting_secrets.value', name, value)})
          on conflict (name) do update set value = excluded.value`,
  )

/** 409 with the current value and its author at each field. */
async function disputeOf(
  tx: Tx,
  names: readonly CommonSettingName[],
  kept: ReadonlyMap<string, Kept>,
): Promise<HttpError> {
  const people = await tx.query<{ name: string; person: Person | null }>(sql`
    select s.name, ${person} as person from common_settings s join users u on u.id = s."idUser"
    where s.name = any(${names as string[]})`)
  const who = new Map(people.map((row) => [row.name, userOf(row.person)?.shortFio]))
  const fields = names.map((field) => ({
    field,
    message: `Пока вы меняли, здесь стало: ${settingText(field, valueNow(field, kept))}${who.get(field) ? `; это сделано с учётной записи «${who.get(field)}»` : ''}`,
  }))
  const message = `Пока вы меняли, это изменили другие: ${names.map((name) => `«${commonSettings[name].label}»`).join(', ')}`
  return new HttpError(409, message, {
    code: 'settingChanged',
    body: { name: 'Conflict', message, status: 409, code: 'settingChanged', fields },
  })
}

type Person = PersonName & { id: number }

/** The author as JSON; null: the server itself. */
const person = sql`case when u.id is not null
  then jsonb_build_object('id', u.id, 'surname', u."surname", 'name', u."name", 'middleName', u."middleName") end`

const userOf = (one: Person | null) => one && { id: one.id, shortFio: shortFioOf(one) }

interface ChangeRow {
  id: number
  name: string
  from: unknown
  to: unknown
  version: number
  dateCreate: string
  idUndone: number | null
  person: Person | null
}

const changeSql = sql`select c.id, c.name, c."from", c."to", c.version, c."dateCreate", c."idUndone", ${person} as person
  from common_setting_changes c left join users u on u.id = c."idUser"`

const shown = ({ person: one, ...row }: ChangeRow) => ({ ...row, user: userOf(one) })

export const changes = operation(settingsCalls.changes, async ({ app, query: { name, before, limit } }) => {
  const rows = await app.db.broad.query<ChangeRow>(sql`${changeSql}
    where (${name ?? null}::text is null or c.name = ${name ?? null}) and (${before ?? null}::bigint is null or c.id < ${before ?? null})
    order by c.id desc limit ${limit + 1}`)
  return { items: rows.slice(0, limit).map(shown), hasMore: rows.length > limit }
})

export const state = operation(settingsCalls.state, async ({ app }) => {
  const rows = await app.db.broad.query<{
    name: string
    value: unknown
    version: number
    dateChange: string
    person: Person | null
  }>(sql`select s.name, s.value, s.version, s."dateChange",
      ${person} as person from common_settings s left join users u on u.id = s."idUser"`)
  const marks = rows
    .filter(({ name }) => isSettingName(name))
    .map(({ name, version, dateChange, person: one }) => [name, { version, dateChange, user: userOf(one) }])
  return { values: settingsOf(rows), marks: Object.fromEntries(marks) }
})

export const undo = operation(settingsCalls.undo, async ({ app, actor, params, body, records, request }) => {
  const change = await changeOf(app.db, params.id)
  if (!change || !isSettingName(change.name)) throw notFound('Такого изменения нет')
  const { name } = change
  if (isSecret(name)) throw new HttpError(409, 'Прежний ключ не хранится: впишите его заново', { code: 'secret' })
  if (change.from !== null && !commonSettings[name].check.safeParse(change.from).success)
    throw new HttpError(409, 'Прежнее значение больше не подходит: задайте новое', { code: 'outdated' })
  await checkFit(
    { [name]: change.from ?? commonSettings[name].byDefault },
    { records, ip: request.ip, outbound: app.outbound },
  )
  const idMade = await app.db.tx(async (tx) => {
    await changeSettings(
      app,
      tx,
      actor.id,
      { [name]: change.from },
      { read: { [name]: body.version }, idUndone: change.id },
    )
    const made = await tx.one<{ id: number }>(
      sql`select id from common_setting_changes where name = ${name} order by id desc limit 1`,
    )
    return made?.id as number
  })
  return shown((await changeOf(app.db, idMade)) as ChangeRow)
})

const changeOf = (db: Queryable, id: number): Promise<ChangeRow | undefined> =>
  db.one<ChangeRow>(sql`${changeSql} where c.id = ${id}`)
