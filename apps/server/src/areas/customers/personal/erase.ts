/** A patient's data after the consent was withdrawn: what is destroyed, what is kept, why and until when. */
import { customerCalls, type PersonalFate } from '@ordinator/model/areas/customers/calls'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { CustomerPhoto } from '@ordinator/model/areas/customers/files'
import { CustomerMerge } from '@ordinator/model/areas/customers/merge'
import {
  cardKeeps,
  ERASED_NAME,
  type Fate,
  fates,
  type KeptFor,
  keptFor,
} from '@ordinator/model/areas/customers/retention'
import type { Entity } from '@ordinator/model/entity'
import { isStored, isWords, isWritable } from '@ordinator/model/fields/field'
import sql, { join, type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import type { Definition } from '#records/define.ts'
import { unfinishedWith } from '#records/inUse.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { name } from '#records/plan.ts'
import type { Records, Sets } from '#records/records.ts'
import { sealedReferences } from '#records/sealed.ts'
import { purge } from '#records/trash.ts'
import { belongsTo } from './belonging.ts'

/** Records of an entity that name the cards. */
interface Named {
  d: Definition
  fate: Fate
  ids: number[]
  /** Day until which they are kept; null: they are not. */
  until: string | null
}

/** The line of the journal about destroyed data begins with it. */
export const ERASED_BASIS = 'Персональные данные уничтожены'

/** Set when a card is emptied, whatever they were. */
const OPTED_OUT: ReadonlySet<string> = new Set(['noMessenger', 'noSms', 'noEmail'])

export const personalFate = operation(customerCalls.personalFate, async ({ app, records, params: { id } }) => {
  await records.row(Customer, id)
  await records.mustOpen(Customer, id)
  return fateOf(app, app.db, id)
})

export const personalErase = operation(
  customerCalls.personalErase,
  async ({ app, actor, records, params: { id }, body }) => {
    const card = await records.row(Customer, id)
    await records.mustOpen(Customer, id)
    if (body.surname.trim() !== card.surname)
      throw new ValidationError([
        { field: 'surname', message: 'Это не фамилия с карты: проверьте, чью карту вы открыли' },
      ])
    return records.tx(async (inside, tx) => {
      await tx.query(sql`select 1 from customers where "id" = ${id} for update`)
      const fate = await fateOf(app, tx, id)
      if (fate.unfinished) throw new HttpError(409, `Сначала завершите: ${fate.unfinished}`, { code: 'unfinished' })
      const cards = await cardsOf(tx, id)
      const named = await namedBy(app, tx, cards)
      for (const one of named) if (one.until === null) await destroy(app, inside, tx, one)
      await emptyCards(app, inside, tx, cards, reasonsOf(named))
      await forgetBeside(app, tx, cards)
      await journal(tx, {
        ...journalActor(actor),
        action: 'delete',
        entityType: Customer.path,
        idEntity: id,
        idCustomer: id,
        basis: `${ERASED_BASIS}: ${body.reason}. ${wordsOf(fate)}`,
      })
      return fate
    })
  },
)

const wordsOf = ({ erased, parted }: PersonalFate): string =>
  [...erased, ...parted].map(({ label, count }) => `${label} — ${count}`).join(', ') || 'записей не было'

/** The card and those that were joined to it. */
async function cardsOf(db: Queryable, id: number): Promise<number[]> {
  const joined = await db.query<{ id: number }>(sql`
    with recursive all_of as (
      select ${id}::bigint as id
      union select m."idMerged" from customers_merges m join all_of a on a.id = m."idKept" where m."dateUndone" is null)
    select id::int as id from all_of order by id`)
  return joined.map((one) => one.id)
}

/** Records that name the cards, with what becomes of them today. */
async function namedBy(app: AppContext, db: Queryable, cards: readonly number[]): Promise<Named[]> {
  const found: Named[] = []
  for (const d of app.registry.definitions) {
    const fate = fates[d.entity.path]
    const where = fate && belongsTo(app.registry, d, cards)
    if (!where) continue
    const { table } = d.entity
    const years = fate in keptFor ? keptFor[fate as KeptFor].years : undefined
    const at = madeAt(d.entity)
    const term = sql`(coalesce(${at}, now()) + make_interval(years => ${years ?? 0}))::date`
    const rows = await db.query<{ id: number; until: string | null }>(sql`
      select "id"::int as id, case when ${years !== undefined} and ${term} > ${clinicToday} then ${term}::text end as until
      from ${name(table)} where ${where} order by "id"`)
    if (rows.length === 0) continue
    // The term of a kind runs from its last record.
    const until =
      rows
        .map((row) => row.until ?? '')
        .toSorted()
        .at(-1) || null
    found.push({ d, fate, ids: rows.map(({ id }) => id), until })
  }
  return found
}

/** SQL: when the row was made; for an entity that does not store it, by its first line of the history. */
const madeAt = ({ fields, path, table }: Entity): Sql => {
  const made = Object.entries(fields).find(([, f]) => (f.options as { auto?: string }).auto === 'created')
  return made
    ? sql`${name(made[0])}::timestamptz`
    : sql`(select min(h."dateCreate") from history h where h."path" = ${path} and h."idEntity" = ${name(table)}."id")`
}

/** Reasons for which the cards must still identify the patient. */
const reasonsOf = (named: readonly Named[]): KeptFor[] => [
  ...new Set(named.filter(({ until }) => until !== null).map(({ fate }) => fate as KeptFor)),
]

async function fateOf(app: AppContext, db: Queryable, id: number): Promise<PersonalFate> {
  const named = await namedBy(app, db, await cardsOf(db, id))
  const kind = ({ d, ids }: Named) => ({
    path: d.entity.path,
    label: d.entity.label[2] ?? d.entity.label[0],
    count: ids.length,
  })
  const gone = named.filter(({ until }) => until === null)
  const kept = Object.entries(keptFor).flatMap(([reason, { words, law }]) => {
    const some = named.filter(({ fate, until }) => fate === reason && until !== null)
    if (some.length === 0) return []
    return [
      {
        why: words,
        law,
        until: some
          .map(({ until }) => until as string)
          .toSorted()
          .at(-1) as string,
        records: some.map(kind),
      },
    ]
  })
  return {
    erased: gone.filter(({ fate }) => fate !== 'parted').map(kind),
    parted: gone.filter(({ fate }) => fate === 'parted').map(kind),
    kept,
    fields: await filledFields(db, id, reasonsOf(named)),
    unfinished: await unfinishedWith(db, app.registry, Customer, id),
  }
}

/** Fields of the card that are emptied while it must be kept for these reasons. */
function emptiedFields(reasons: readonly KeptFor[]): string[] {
  const kept = new Set(reasons.flatMap((reason) => cardKeeps[reason]))
  return Object.entries(Customer.fields)
    .filter(([field, f]) => isStored(f) && isWritable(f) && !kept.has(field) && !OPTED_OUT.has(field))
    .map(([field]) => field)
}

/** Labels of the fields that will be emptied and hold something now. */
async function filledFields(db: Queryable, id: number, reasons: readonly KeptFor[]): Promise<string[]> {
  const card = await db.one<{ values: Record<string, unknown> }>(
    sql`select to_jsonb(c) as values from customers c where "id" = ${id}`,
  )
  return emptiedFields(reasons).flatMap((field) => {
    const value = card?.values[field] ?? null
    return value === null || value === usualOf(field) ? [] : [fieldOf(field).options.label]
  })
}

const fieldOf = (field: string) => Customer.fields[field as keyof typeof Customer.fields]
const usualOf = (field: string): unknown => (fieldOf(field).options as { default?: unknown }).default

async function destroy(app: AppContext, inside: Records, tx: Tx, { d, fate, ids }: Named): Promise<void> {
  if (fate !== 'parted') await purge(app, tx, d, ids)
  else {
    await d.parted?.(app, tx, ids)
    const refs = sealedReferences(app.registry, d).map(({ by }) => [by, null])
    const words = Object.entries(d.entity.fields).flatMap(([field, f]) =>
      isStored(f) && isWords(f) && !(f.options as { unique?: boolean }).unique
        ? [[field, f.options.required ? '—' : null]]
        : [],
    )
    await write(inside, tx, d.entity, ids, Object.fromEntries([...refs, ...words]))
  }
  await forgetHistory(tx, d.entity.path, ids)
}

async function write(
  inside: Records,
  tx: Tx,
  entity: Entity,
  ids: readonly number[],
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  await inside.asSystem.updateWhere(
    entity,
    { rows: sql`select unnest(${ids as number[]}::bigint[]) as "id"` },
    values as Sets<Entity>,
    { pastHooks: 'What is left says nothing of anybody' },
  )
  if (!entity.soft) return
  // The engine leaves the trash alone: a card that was joined to this one lies there for ever.
  const set = join(Object.entries(values).map(([field, value]) => sql`${name(field)} = ${value}`))
  await tx.query(
    sql`update ${name(entity.table)} set ${set} where "id" = any (${ids as number[]}::bigint[]) and "deleted"`,
  )
}

/** The history keeps that something was changed, by whom and when, without the values. */
const forgetHistory = (tx: Tx, path: string, ids: readonly number[], fields?: readonly string[]): Promise<unknown> =>
  tx.query(sql`update history set "changes" = ${fields ? sql`"changes" - ${fields as string[]}::text[]` : sql`'{}'::jsonb`}
    where "path" = ${path} and "idEntity" = any (${ids as number[]}::bigint[])`)

async function emptyCards(
  app: AppContext,
  inside: Records,
  tx: Tx,
  cards: readonly number[],
  reasons: readonly KeptFor[],
): Promise<void> {
  const fields = emptiedFields(reasons)
  const photos = await tx.query<{ id: number }>(sql`
    select "idPhoto"::int as id from customers where "id" = any (${cards as number[]}::bigint[]) and "idPhoto" is not null`)
  const values = fields.map((field) => [field, field === 'surname' ? ERASED_NAME : (usualOf(field) ?? null)])
  // Opted out of every channel: a job that is under way writes nothing.
  const silent = [...OPTED_OUT].map((field) => [field, true])
  await write(inside, tx, Customer, cards, Object.fromEntries([...values, ...silent]))
  await purge(
    app,
    tx,
    app.registry.at(CustomerPhoto.path),
    photos.map(({ id }) => id),
  )
  await forgetHistory(tx, Customer.path, cards, fields)
  const joined = await tx.query<{ id: number }>(
    sql`select "id"::int as id from customers_merges where "idKept" = any (${cards as number[]}::bigint[])`,
  )
  const merges = joined.map(({ id }) => id)
  await write(inside, tx, CustomerMerge, merges, { fioMerged: ERASED_NAME, changed: {} })
  await forgetHistory(tx, CustomerMerge.path, merges)
}

/** Tables of no entity whose rows would go with the card: sessions of the patients' room, former phones, pairs. */
async function forgetBeside(app: AppContext, tx: Tx, cards: readonly number[]): Promise<void> {
  const tables = new Set(app.registry.definitions.map(({ entity }) => entity.table))
  const beside = await tx.query<{ table: string; column: string }>(sql`
    select c."relname" as table, a."attname" as column from pg_constraint k join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid = 'customers'::regclass and k.confdeltype = 'c'`)
  for (const { table, column } of beside)
    if (!tables.has(table))
      await tx.query(sql`delete from ${name(table)} where ${name(column)} = any (${cards as number[]}::bigint[])`)
}
