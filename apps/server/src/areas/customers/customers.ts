import { holds } from '@ordinator/model/access'
import { yearsOn } from '@ordinator/model/areas/customers/age'
import { customerCalls } from '@ordinator/model/areas/customers/calls'
import { Customer, CustomerPolicy, CustomerRelation, phoneFields } from '@ordinator/model/areas/customers/customer'
import { type DocumentType, documentNumber, policyNumber } from '@ordinator/model/areas/customers/documents'
import { lifeErrors } from '@ordinator/model/areas/customers/lifeErrors'
import { type CustomerRequirable, customerRequirable } from '@ordinator/model/areas/settings/children/customers'
import type { Create, Row, Update } from '@ordinator/model/entity'
import { schemes } from '@ordinator/model/identifiers'
import { dayIn } from '@ordinator/model/zone'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { nextNumbers } from '#areas/filials/index.ts'
import { clinicToday, readCommonSettings } from '#areas/settings/index.ts'
import { fioSql, shortFioSql } from '#areas/staff/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { type RowCondition, type RowSql, records, type Sealed, type WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { sealedRefusal, unsealedSql } from '#records/sealed.ts'
import { notePhoneChange } from './phoneChanges.ts'

/** Restricted cards: staff and VIP. */
const sealed: Sealed = {
  when: ({ row }) => sql`${row}."secretLevel" <> 'none'`,
  shown: ['surname', 'name', 'middleName', 'fio', 'shortFio', 'cardNumber', 'secretLevel', 'deleted'],
  sought: phoneFields,
  contains: { text: ({ row }, pattern) => shownSql(row, pattern) },
}

/** SQL condition: the requester has opened the card, or it is not restricted. */
export const isOpenCard = (about: RowSql): Sql => unsealedSql(sealed, about)

/** For rows with an `idCustomer`: their card is open to the requester. */
export const ofOpenCard: RowCondition = ({ row, me }) => sql`exists (select 1 from customers card
  where card."id" = ${row}."idCustomer" and ${isOpenCard({ row: raw('card'), me })})`

export const customerRecords = records(Customer, {
  found: {
    on: 'customer',
    group: 'Клиенты',
    by: ['text'],
    day: 'birthday',
    opens: ({ row }) => sql`'/customers/edit?id=' || ${row}."id"`,
    hint: ({ row }) =>
      sql`concat_ws(' · ', to_char(${row}."birthday", 'DD.MM.YYYY'), coalesce(${row}."phone", ${row}."phoneMother", ${row}."phoneFather"))`,
  },
  computed: {
    fio: ({ row }) => fioSql(row),
    shortFio: ({ row }) => shortFioSql(row),
    // Whole years today, or at the day of death.
    age: ({ row }) =>
      sql`extract(year from age(least(coalesce(${row}."dateDeath", ${clinicToday}), ${clinicToday}), ${row}."birthday"))::int`,
    photo: ({ row }) => sql`'/files/' || ${row}."idPhoto" || '/small'`,
    text: ({ row }) => textSql(row),
  },
  contains: { text: ({ row }, pattern) => soughtSql(row, pattern) },
  sealed,
  hooks: {
    prepare: prepareDocument,
    async beforeCreate(context, value) {
      takeCertificate(context, value, undefined)
      await prepareCard(context, value)
      await refuseSecond(context, 'snils', value.snils, 0, value.duplicateReason)
      if (value.policy) await refuseSecond(context, 'policy', oms(value.policy), 0, value.duplicateReason)
    },
    async afterCreate({ records: all }, { id }, { policy, duplicateReason }) {
      if (policy)
        await all.asSystem.create(CustomerPolicy, {
          idCustomer: id,
          type: 'oms',
          number: oms(policy),
          duplicateReason: duplicateReason ?? null,
        })
    },
    async beforeUpdate(context, value, before) {
      takeCertificate(context, value, before)
      if (value.snils && value.snils !== before.snils)
        await refuseSecond(context, 'snils', value.snils, before.id, value.duplicateReason)
    },
    afterUpdate: notePhoneChange,
  },
})

const known = [
  'surname',
  'name',
  'middleName',
  'cardNumber',
  ...phoneFields,
  'email',
  'post',
  'birthday',
  'snils',
  'numberPassport',
]

/** SQL of a card's value, null unless the requester has opened the card; unrestricted cards always show it. */
export const ifOpen = (actor: ServerActor, row: Sql, value: Sql): Sql =>
  actor.system ? value : sql`case when ${isOpenCard({ row, me: sql`${actor.id}` })} then ${value} end`

/** Instead of the name of a card that is restricted to the reader. */
const CLOSED = 'Карта ограниченного доступа'

/** SQL of a patient's name in a row of an own query about them, unless the requester may not know whose it is. */
export const openName = (actor: ServerActor, row: Sql, name: Sql): Sql =>
  sql`coalesce(${ifOpen(actor, row, name)}, ${CLOSED})`

/** For calls with their own queries; the caller checks the right to see cards. @throws HttpError 403 */
export async function assertOpen(db: Queryable, actor: ServerActor, id: number): Promise<void> {
  const card = raw('c')
  const sealed = await db.one(
    sql`select from customers c where c."id" = ${id} and ${ifOpen(actor, card, raw('true'))} is null`,
  )
  if (sealed) throw sealedRefusal(Customer)
}

/** Opens a restricted card with a reason. */
export const open = operation(customerCalls.open, ({ records, params, body }) =>
  records.open(Customer, params.id, body.reason),
)

/** Must match the expression of the index `customers_text_idx` exactly. */
export function textSql(row: Sql): Sql {
  const fields = known.map((field) => sql`${row}.${raw(`"${field}"`)}`)
  return sql`customer_text(${join(fields)})`
}

/**
 * SQL condition: the search text matches the card. The functions are evaluated at planning time, so that one branch
 * remains: a full number or date leads to its few cards; words that match few surnames are searched by the surname
 * index; a frequent name is compared directly; anything else uses the trigrams.
 */
export function soughtSql(row: Sql, pattern: Sql): Sql {
  const byText = sql`${textSql(row)} ilike any (customer_patterns(${pattern}))`
  const surnames = (others: boolean) => sql`customer_surnames(${pattern}, ${raw(String(others))})`
  const words = sql`customer_words(${pattern})`
  const of = (...fields: string[]) => join(fields.map((field) => sql`${row}.${raw(`"${field}"`)}`))
  // Letters occur nowhere else in a card's text.
  const byWords = sql`customer_has(${words}, array[${of('name', 'surname', 'middleName')}]::text[],
    concat_ws(' ', ${of('post', 'email', 'cardNumber', 'numberPassport')}), customer_patterns(${pattern}))`
  // Each call is a search of its own, so it must be evaluated once. The planner removes a case branch for a null result
  // and keeps index access possible; with coalesce it would read every card.
  return sql`case
    when customers_known(${pattern}) is not null
      then ${row}."id" = any (customers_known(${pattern}) || customers_of_policy(${pattern}))
    else case coalesce((${surnames(true)} <@ ${surnames(false)})::int, 2)
      when 1 then ${row}."surname" = any (${surnames(false)})
      when 0 then ${row}."surname" = any (${surnames(true)}) and ${byText}
      else case ${byWords} when true then true when false then false
        else ${byText} or ${row}."id" = any (customers_of_policy(${pattern})) end end end`
}

/** SQL condition: the search text matches the unrestricted fields of a card: names and number, or a whole phone. */
function shownSql(row: Sql, pattern: Sql): Sql {
  const names = ['surname', 'name', 'middleName', 'cardNumber'].map((field) => sql`${row}.${raw(`"${field}"`)}`)
  const phones = phoneFields.map((field) => sql`${row}.${raw(`"${field}"`)}`)
  const digits = sql`regexp_replace(${pattern}, '\\D', '', 'g')`
  return sql`(concat_ws(' ', ${join(names)}) ilike any (customer_patterns(${pattern}))
    or ${row}."surname" = any (customer_surnames(${pattern}, false))
    or length(${digits}) >= 10 and right(${digits}, 10) in (${join(phones.map((phone) => sql`right(${phone}, 10)`))}))`
}

/** Checks the clinic's required fields of a new card, and assigns its number. */
async function prepareCard(context: WriteContext, value: Create<typeof Customer>): Promise<void> {
  const { customerRequired, customerSequence } = await readCommonSettings(context.tx)
  // System actors create cards from incomplete data.
  if (!context.actor.system) checkRequired(customerRequired, value)
  if (customerSequence !== null && !value.cardNumber) {
    const number = await nextCardNumber(context.tx, customerSequence)
    if (number !== undefined) value.cardNumber = number
  }
}

/** The next card number by the clinic's numbering; undefined if it was deleted. */
export const nextCardNumber = async (tx: Tx, idSequence: number): Promise<string | undefined> =>
  (await nextCardNumbers(tx, idSequence, 1))?.[0]

/** As many next card numbers; undefined if the numbering was deleted. */
export async function nextCardNumbers(tx: Tx, idSequence: number, count: number): Promise<string[] | undefined> {
  const of = await tx.one<{ code: string }>(
    sql`select "code" from sequences where "id" = ${idSequence} and not "deleted"`,
  )
  return of && nextNumbers(tx, of.code, count)
}

function checkRequired(customerRequired: readonly CustomerRequirable[], value: Create<typeof Customer>): void {
  const missing = customerRequired.filter(
    (field) => value[field] === undefined || value[field] === null || value[field] === '',
  )
  if (missing.length > 0)
    throw new ValidationError(
      missing.map((field) => ({ field, message: `${customerRequirable[field]}: без этого карта не создаётся` })),
    )
}

/** Minimum age for a passport. */
const PASSPORT_AGE = 14

/** Defaults the document of a child to a birth certificate: children have no passport. */
function takeCertificate(
  { actor }: WriteContext,
  value: Update<typeof Customer>,
  before: Row<typeof Customer> | undefined,
): void {
  if (!value.birthday || value.documentType !== undefined || (before && before.documentType !== 'passport')) return
  if (value.numberPassport ?? before?.numberPassport) return
  const years = yearsOn(value.birthday, dayIn(actor.timeZone, Date.now()))
  if (years !== undefined && years < PASSPORT_AGE) value.documentType = 'birthCertificate'
}

/** Normalizes series and number by the kind of document. */
function prepareDocument(value: Update<typeof Customer>, before: Row<typeof Customer> | undefined): void {
  if (['birthday', 'dateDeath', 'datePassport'].some((field) => Object.hasOwn(value, field))) {
    const errors = lifeErrors({ ...before, ...value })
    if (errors.length) throw new ValidationError(errors)
  }
  if (value.numberPassport === undefined && value.documentType === undefined) return
  const written = value.numberPassport ?? before?.numberPassport
  if (!written) return
  const type = (value.documentType ?? before?.documentType ?? 'passport') as DocumentType
  const read = documentNumber(type, written)
  if (!read.ok) throw new ValidationError([{ field: 'numberPassport', message: read.message }])
  value.numberPassport = read.value
}

export const policies = records(CustomerPolicy, {
  hooks: {
    prepare(value, before) {
      const number = value.number ?? before?.number
      if (number !== undefined && (value.number !== undefined || value.type !== undefined)) {
        const read = policyNumber(value.type ?? before?.type ?? 'oms', number)
        if (!read.ok) throw new ValidationError([{ field: 'number', message: read.message }])
        value.number = read.value
      }
      const [from, to] = [value.dateFrom ?? before?.dateFrom, value.dateTo ?? before?.dateTo]
      if (from && to && to < from)
        throw new ValidationError([{ field: 'dateTo', message: 'Полис кончается раньше, чем начинается' }])
    },
    async beforeCreate(context, { type, number, idCustomer, duplicateReason }) {
      if (type !== 'dms') await refuseSecond(context, 'policy', number, idCustomer, duplicateReason)
    },
    async beforeUpdate(context, value, before) {
      if (value.number && value.number !== before.number && (value.type ?? before.type) !== 'dms')
        await refuseSecond(context, 'policy', value.number, before.idCustomer, value.duplicateReason)
    },
  },
})

/** Normalized number of a policy. @throws ValidationError at `policy` */
function oms(written: string): string {
  const read = policyNumber('oms', written)
  if (!read.ok) throw new ValidationError([{ field: 'policy', message: read.message }])
  return read.value
}

/**
 * Rejects a second card with the same СНИЛС or ОМС policy, naming the first; a right and a reason override it, and the
 * reason is stored on the card.
 * @param except the card being written
 * @throws HttpError 409 `duplicate` with `duplicate: { id, fio, cardNumber }`
 */
async function refuseSecond(
  { tx, actor }: WriteContext,
  kind: 'snils' | 'policy',
  number: string | null | undefined,
  except: number,
  reason: string | null | undefined,
): Promise<void> {
  if (!number || actor.system) return
  // Serializes writes of the same number.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`customer ${kind} ${number}`}, 0))`)
  const card = raw('c')
  const found = await tx.one<{ id: number; fio: string; cardNumber: string | null }>(sql`
    select c."id"::int as id, ${fioSql(card)} as fio, c."cardNumber" from customers c
    where not c."deleted" and c."id" <> ${except} and ${
      kind === 'snils'
        ? sql`c."snils" = ${number}`
        : sql`c."id" in (select p."idCustomer" from customers_policies p
            where p."number" = ${number} and p."type" in ('oms', 'omsOld', 'omsTemporary') and not p."deleted")`
    } order by c."id" limit 1`)
  if (!found) return
  if (reason?.trim() && holds(actor, 'passDuplicates')) return
  const what = kind === 'snils' ? `СНИЛС ${schemes.snils.text(number)}` : `Полис ${number}`
  const message = `${what} уже стоит в карте «${found.fio}»${found.cardNumber ? `, № ${found.cardNumber}` : ''}: откройте её`
  throw new HttpError(409, message, { code: 'duplicate', body: { code: 'duplicate', message, duplicate: found } })
}

/** A representative is a customer with a card, or a name without one. */
export const relations = records(CustomerRelation, {
  hooks: {
    prepare(value: Update<typeof CustomerRelation>, before) {
      const idRelative = value.idRelative === undefined ? before?.idRelative : value.idRelative
      const fio = value.fio === undefined ? before?.fio : value.fio
      const idCustomer = (value as Create<typeof CustomerRelation>).idCustomer ?? before?.idCustomer
      if (!idRelative && !fio?.trim())
        throw new ValidationError([{ field: 'fio', message: 'Выберите клиента или впишите ФИО' }])
      if (idRelative && idRelative === idCustomer)
        throw new ValidationError([{ field: 'idRelative', message: 'Клиент не может представлять сам себя' }])
    },
  },
})
