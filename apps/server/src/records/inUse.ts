import { fateOf, hangingOf, hangingWords, type Pointing, pointingAt } from '@ordinator/model/deletion'
import type { AnyField, Entity } from '@ordinator/model/entity'
import type { Hanging } from '@ordinator/model/fields/ref'
import { counted } from '@ordinator/model/format'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { Registry } from './define.ts'
import { name } from './plan.ts'
import { parameter } from './write.ts'

/** Records that depend on a record, with their Russian names: one, two, five. */
export interface Use {
  /** SQL of a number. */
  count: Sql
  words: readonly [string, string, string]
}

/** Counting stops here. */
const MOST = 10_000

/**
 * Refuses to delete a record in use, with the numbers and what to do instead.
 * @param instead a sentence without its full stop: «передайте визиты другому врачу»
 * @throws HttpError 409 `inUse`
 */
export async function refuseInUse(tx: Tx, uses: readonly Use[], instead: string): Promise<void> {
  const words = await wordsOf(tx, uses)
  if (words) throw new HttpError(409, `Удалить нельзя: ${words}. ${instead}`, { code: 'inUse' })
}

async function wordsOf(db: Queryable, uses: readonly Use[]): Promise<string> {
  if (uses.length === 0) return ''
  const found = await db.one<{ counts: number[] }>(
    sql`select array[${join(uses.map(({ count }) => sql`(${count})::int`))}] as counts`,
  )
  return uses
    .flatMap(({ words }, at) => {
      const count = found?.counts[at] ?? 0
      if (count === 0) return []
      return [count > MOST ? `больше ${counted(MOST, words)}` : counted(count, words)]
    })
    .join(', ')
}

/** What is unfinished with a record, by the declarations of what keeps it: visits ahead, an open dialog. Empty: nothing. */
export const unfinishedWith = (db: Queryable, registry: Registry, entity: Entity, id: number): Promise<string> =>
  wordsOf(
    db,
    hangingOn(registry, entity)
      .keeps.filter(({ hanging }) => hanging.ahead ?? hanging.above ?? hanging.among)
      .map((one) => useSql(one, id)),
  )

const GENERAL = 'Сначала укажите там другую запись'

/**
 * Checks the references of all entities before a record is deleted.
 * @param sure the person has confirmed after seeing the numbers
 * @throws HttpError 409 `inUse` with what to do instead; 409 `asks` with the numbers, unless `sure`
 */
export async function mayGo(tx: Tx, registry: Registry, entity: Entity, id: number, sure: boolean): Promise<void> {
  const { keeps, asks } = hangingOn(registry, entity)
  if (keeps.length)
    await refuseInUse(
      tx,
      keeps.map((one) => useSql(one, id)),
      entity.instead ?? GENERAL,
    )
  if (sure || asks.length === 0) return
  const words = await wordsOf(
    tx,
    asks.map((one) => useSql(one, id)),
  )
  if (words) throw new HttpError(409, `Здесь используется: ${words}`, { code: 'asks' })
}

type Hangs = Pointing & { hanging: Hanging }
const found = new WeakMap<Registry, Map<string, { keeps: Hangs[]; asks: Hangs[] }>>()

function hangingOn(registry: Registry, entity: Entity) {
  const known = found.get(registry) ?? new Map<string, { keeps: Hangs[]; asks: Hangs[] }>()
  found.set(registry, known)
  const before = known.get(entity.path)
  if (before) return before
  const all = pointingAt(
    entity,
    registry.definitions.map((d) => d.entity),
  ).filter((one) => fateOf(one) !== undefined)
  const of = (how: 'keeps' | 'asks') =>
    all.flatMap((one) => {
      const hanging = hangingOf(one, how)
      return hanging ? [{ ...one, hanging }] : []
    })
  const made = { keeps: of('keeps'), asks: of('asks') }
  known.set(entity.path, made)
  return made
}

function useSql({ hanging, ...pointing }: Hangs, id: number): Use {
  const { entity, field, several } = pointing
  const column = sql`p.${name(field)}`
  const conditions = [several ? sql`${column} @> array[${id}]::bigint[]` : sql`${column} = ${id}`]
  if (entity.soft) conditions.push(raw('not p."deleted"'))
  if (hanging.ahead) conditions.push(sql`p.${name(hanging.ahead)} > now()`)
  if (hanging.above) conditions.push(sql`p.${name(hanging.above)} > 0`)
  for (const [of, values] of Object.entries(hanging.among ?? {})) {
    const f = entity.fields[of] as AnyField
    const given = values.filter((value) => value !== null)
    const any = given.map((value) => sql`p.${name(of)} = ${parameter(f, value)}`)
    if (given.length < values.length) any.push(sql`p.${name(of)} is null`)
    conditions.push(sql`(${join(any, ' or ')})`)
  }
  return {
    count: sql`select count(*) from (select 1 from ${name(entity.table)} p
      where ${join(conditions, ' and ')} limit ${MOST + 1}) found`,
    words: hangingWords(pointing, hanging),
  }
}
