/** Importer of customers from a table, with their policy, tags and source. */
import { setImmediate } from 'node:timers/promises'
import { can } from '@ordinator/model/access'
import { Customer, CustomerPolicy, CustomerSource, CustomerTag } from '@ordinator/model/areas/customers/customer'
import type { Create, Row } from '@ordinator/model/entity'
import { dayIn } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import {
  byNames,
  type Cells,
  type Checked,
  type ImportContext,
  type Importer,
  offerImporter,
  plainName,
} from '#areas/imports/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import { forbidden, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { journal, journalActor } from '#records/journal.ts'
import { countLinks } from '#records/merge.ts'
import { nextCardNumbers } from './customers.ts'
import {
  type By,
  type Card,
  compare,
  differ,
  type Found,
  foundBy,
  isAlien,
  isNumber,
  mayBe,
  personOf,
  type ReadRow,
  wordOf,
} from './importCards.ts'
import { columns, nameOfField, readRow, type Sources, shownOf, sourceKey } from './importRow.ts'

const params = z.strictObject({
  /** Handling of a row whose patient has a card already. */
  twins: z.enum(['skip', 'update', 'create']).default('skip'),
  /** Creates missing sources. */
  createSources: z.boolean().default(false),
})
type Params = z.output<typeof params>

/** Rows compared with the clinic's cards per statement. */
const COMPARED = 2_000
/** Rows read between two yields to the event loop. */
const BREATH = 200
const MAX_ROWS = 100_000
const PAST = 'Rows are held to the rules of cards by the check of each'

interface Ready extends Params, Sources {
  read: Map<Cells, ReadRow>
  /** Cards of the earlier rows, by their keys. */
  above: Map<string, Card>
}

interface CardValues {
  read: ReadRow
  card: Card
  isNew: boolean
}

/** Importer of customers from a table, with their policy, tags and source. */
export function offerCustomers(app: AppContext): void {
  const importer: Importer<Params, Cells, Ready, CardValues> = {
    kind: 'customers',
    label: 'Клиенты',
    access: 'editCustomers',
    params,
    columns,
    changes: [Customer],
    maxRows: MAX_ROWS,
    open,
    check: checkRow,
    write: async (context, ready, values) => (await writeMany(context, ready, [values]))[0] ?? [],
    writeMany,
    keyed: {
      entity: Customer,
      body: ({ read }) => read.body,
      idOf: ({ card }) => card.id || undefined,
      isDuplicate: ({ read, isNew }) => !isNew && !read.own,
    },
    isHeld: async (db, { path, id }) => {
      const entity = path === CustomerSource.path ? CustomerSource : Customer
      return (await countLinks(db, app.registry, entity, id)).some((link) => !own.has(link.path))
    },
  }
  offerImporter(app, importer)
}

/** Records that the import itself attaches to a card are removed with it. */
const own = new Set<string>([CustomerPolicy.path, CustomerTag.path])

async function open(context: ImportContext<Params>, rows: readonly Cells[]): Promise<Ready> {
  const { records, tx, params } = context
  if (!can(records.actor, 'create', Customer)) throw forbidden('Вам нельзя заводить клиентов')
  const sources = await tx.query<{ id: number; name: string; path: string }>(sql`with recursive tree as (
      select "id", "sourceName" as name, "sourceName" as path from customer_sources where "idParentSource" is null and not "deleted"
      union all
      select s."id", s."sourceName", tree.path || ' / ' || s."sourceName" from customer_sources s
      join tree on s."idParentSource" = tree."id" where not s."deleted"
    ) select * from tree order by "id"`)
  const ready: Ready = {
    ...params,
    read: new Map(),
    sources: byNames(sources, ({ name, path }) => [name, path]),
    alikeSources: Map.groupBy(sources, ({ name }) => sourceKey(name)),
    above: new Map(),
  }
  for (const [at, cells] of rows.entries()) {
    if (at % BREATH === 0) await setImmediate()
    ready.read.set(cells, readRow(ready, cells, dayIn(records.actor.timeZone, Date.now())))
  }
  await findOwn(context, ready)
  const all = [...ready.read.values()].filter(({ own }) => !own)
  let known = 0
  for (let at = 0; at < all.length; at += COMPARED) known += await compare(tx, all.slice(at, at + COMPARED))
  if (known)
    await journal(tx, {
      ...journalActor(records.actor),
      action: 'search',
      entityType: Customer.path,
      basis: `Сверка файла «${context.fileName.slice(0, 100)}» с картами: ${known}`,
    })
  return ready
}

/** The cards that rows are known to be of. */
async function findOwn({ tx, own }: ImportContext<Params>, ready: Ready): Promise<void> {
  if (!own?.size) return
  const cards = await tx.query<Card>(sql`select c."id"::int as id, ${fioSql(raw('c'))} as fio,
      to_char(c."birthday", 'DD.MM.YYYY') as birthday, c."surname", c."name", c."middleName", c."snils", true as "isCertain"
    from customers c where c."id" = any (${[...own.values()]}::bigint[]) and not c."deleted"`)
  const byId = new Map(cards.map((card) => [card.id, card]))
  for (const [cells, id] of own) {
    const row = ready.read.get(cells)
    const card = byId.get(id)
    if (row && card) row.own = card
  }
}

function checkRow(ready: Ready, cells: Cells): Checked<CardValues> {
  const row = ready.read.get(cells)
  if (!row) throw new Error('a row that was not opened')
  const { body, errors, keys } = row
  if (errors.length) return { errors }
  const notes = [...row.notes]
  if (row.own) return { values: { read: row, card: row.own, isNew: false }, notes, shown: shownOf(cells, body) }
  const above = keys.flatMap((key): Found[] => {
    const by = key[0] as By
    const card = ready.above.get(key)
    return card && (isNumber(by) || mayBe(card, body)) ? [{ card, by }] : []
  })
  // Members of a family may share the number of a card: it is noted, and does not make them one person.
  const isShared = ({ card, by }: Found) => by === 'c' && (differ(card.name, body.name) || isAlien(card, body))
  const found = row.found.filter((one) => !isShared(one))
  const [top, next] = found
  const duplicate = top ?? above.find((one) => !isShared(one))
  const holder = duplicate ? undefined : [...row.found, ...above].find(isShared)
  if (holder) notes.push({ field: foundBy.c, message: `${foundBy.c} уже у другого пациента: ${personOf(holder.card)}` })
  const shown = shownOf(cells, body)
  if (duplicate) {
    const at = foundBy[duplicate.by]
    const isCertain = isNumber(duplicate.by)
    const problem = top ? `Похожа карта «${duplicate.card.fio}»` : 'Повторяет строку выше'
    if (isCertain && isAlien(duplicate.card, body))
      return { errors: [{ field: at, message: `${at} принадлежит другому пациенту: ${personOf(duplicate.card)}` }] }
    const others = found.filter(({ by, card }) => isNumber(by) && card.id !== duplicate.card.id)
    if (isCertain && others[0])
      return {
        errors: [
          {
            field: foundBy[others[0].by],
            message: `${foundBy[others[0].by]} принадлежит другому пациенту: ${personOf(others[0].card)}`,
          },
        ],
      }
    if (ready.twins === 'create' && isCertain)
      return { errors: [{ field: at, message: `${problem}: двух карт с таким номером не бывает` }] }
    if (ready.twins === 'skip')
      return { isSkipped: true, notes: [...notes, { field: at, message: `${problem}: строка пропускается` }], shown }
    if (ready.twins === 'update') {
      if (next && !isCertain)
        return { errors: [{ field: at, message: 'Похожих карт несколько: сначала объедините их' }] }
      const number = (['snils', 'inn'] as const).find((field) => differ(duplicate.card[field], body[field]))
      if (number) {
        const column = nameOfField.get(number) ?? ''
        const message = `В карте «${duplicate.card.fio}» другой ${column}: проверьте, тот ли это пациент`
        return { errors: [{ field: column, message }] }
      }
      notes.push({ field: at, message: `${problem}: она изменится` })
      return { values: { read: row, card: duplicate.card, isNew: false }, notes, shown }
    }
    notes.push({ field: at, message: `${problem}: заводится ещё одна` })
  }
  const card: Card = {
    id: 0,
    fio: [body.surname, body.name, body.middleName].filter(Boolean).join(' '),
    birthday: wordOf(body.birthday),
    surname: wordOf(body.surname),
    name: wordOf(body.name),
    middleName: wordOf(body.middleName),
    snils: wordOf(body.snils),
    inn: wordOf(body.inn),
  }
  for (const key of keys) if (!ready.above.has(key)) ready.above.set(key, card)
  return { values: { read: row, card, isNew: true }, notes, shown }
}

async function writeMany(
  { records, tx, fileName }: ImportContext<Params>,
  ready: Ready,
  values: readonly CardValues[],
) {
  const made = values.map((): { path: string; id: number }[] => [])
  const idSources = new Map<string, number>()
  for (const [at, { read }] of values.entries()) {
    const name = plainName(read.source)
    if (!name || idSources.has(name)) continue
    const there = ready.sources.get(name)?.[0]?.id
    const id = there ?? (await records.create(CustomerSource, { sourceName: read.source })).id
    if (!there) made[at]?.push({ path: CustomerSource.path, id })
    idSources.set(name, id)
  }
  const bodyOf = ({ read }: CardValues) => ({
    ...read.body,
    ...(read.source && { idSource: idSources.get(plainName(read.source)) }),
  })
  const fresh = values.filter(({ isNew }) => isNew)
  for (const { card } of fresh) card.id = 0
  const system = records.asSystem
  const bodies = fresh.map(bodyOf) as Create<typeof Customer>[]
  const { customerSequence } = await readCommonSettings(tx)
  const unnumbered = customerSequence === null ? [] : bodies.filter(({ cardNumber }) => !cardNumber)
  if (customerSequence !== null && unnumbered.length > 0) {
    const numbers = await nextCardNumbers(tx, customerSequence, unnumbered.length)
    for (const [at, body] of unnumbered.entries()) body.cardNumber = numbers?.[at]
  }
  const rows = await system.createMany(Customer, bodies, { pastHooks: PAST })
  for (const [at, one] of fresh.entries()) one.card.id = (rows[at] as { id: number }).id
  for (const [at, { isNew, card }] of values.entries()) if (isNew) made[at]?.push({ path: Customer.path, id: card.id })
  const known = values.filter(({ isNew }) => !isNew)
  for (const one of known) {
    if (!one.card.id)
      throw new ValidationError([{ field: '', message: 'Строка выше, которую эта дополняет, не принята' }])
    await records.update(Customer, one.card.id, bodyOf(one) as Partial<Row<typeof Customer>>)
  }
  await hang(CustomerPolicy, 'number', (row) => (row.policy ? [row.policy] : []))
  await hang(CustomerTag, 'name', (row) => row.tags)
  // The chosen source applies to the following batches as to the rows of this one.
  for (const [name, id] of idSources) ready.sources.set(name, [{ id }])
  const basis = `Импорт из файла «${fileName.slice(0, 200)}»`
  await journal(
    tx,
    ...values.map(({ isNew, card: { id } }) => ({
      ...journalActor(records.actor),
      action: isNew ? ('create' as const) : ('update' as const),
      entityType: Customer.path,
      idEntity: id,
      idCustomer: id,
      basis,
    })),
  )
  return made

  /** Creates policies and tags of the rows; those that a card has already are skipped. */
  async function hang(
    entity: typeof CustomerPolicy | typeof CustomerTag,
    field: 'number' | 'name',
    of: (row: ReadRow) => string[],
  ): Promise<void> {
    const wanted = values.flatMap(({ read, card }) =>
      of(read).map((value) => ({ idCustomer: card.id, [field]: value })),
    )
    if (wanted.length === 0) return
    const ids = [...new Set(known.map(({ card }) => card.id))]
    const there = ids.length
      ? await tx.query<{ key: string }>(sql`select "idCustomer" || ' ' || lower(${raw(`"${field}"`)}) as key
          from ${raw(entity.table)} where "idCustomer" = any (${ids}::bigint[]) ${raw(entity.soft ? 'and not "deleted"' : '')}`)
      : []
    const has = new Set(there.map(({ key }) => key))
    const missing = wanted.filter((one) => {
      const key = `${one.idCustomer} ${String(one[field]).toLowerCase()}`
      return !has.has(key) && has.add(key)
    })
    const rows = await system.createMany(entity, missing, { pastHooks: PAST })
    // Records attached to a new card are removed with it.
    for (const [at, { idCustomer }] of missing.entries()) {
      const of = values.findIndex(({ isNew, card }) => !isNew && card.id === idCustomer)
      if (of >= 0) made[of]?.push({ path: entity.path, id: (rows[at] as { id: number }).id })
    }
  }
}
