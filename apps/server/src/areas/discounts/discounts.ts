import { catalogueAccess } from '@ordinator/model/areas/catalogue/service'
import { discountCalls } from '@ordinator/model/areas/discounts/calls'
import {
  Discount,
  type DiscountKind,
  discountErrors,
  discountStatuses,
  hasValue,
  mayBePerOrder,
  nextStatuses,
  unitOf,
  valueFields,
} from '@ordinator/model/areas/discounts/discount'
import type { Create, Row, Update } from '@ordinator/model/entity'
import { isWritable } from '@ordinator/model/fields/field'
import sql, { raw, type Sql } from 'sql-template-tag'
import { clinicToday } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'

/** Maximum number of active discounts: each basket is checked against all of them. */
export const MAX_ACTIVE = 200

type Value = Update<typeof Discount>

export const discountRecords = records(Discount, {
  found: {
    on: 'discount',
    group: 'Скидки',
    by: ['name'],
    opens: ({ row }) => sql`'/discount/update/' || ${row}."id"`,
  },
  computed: {
    targetNames: ({ row, holds }) =>
      catalogueAccess.view.some(holds)
        ? namesSql(sql`select "nameServiceGroup" as name from services_groups where "id" = any (${row}."groups")
            union all select "nameService" from services where "id" = any (${row}."services")`)
        : sql`''`,
    filialNames: ({ row }) =>
      namesSql(
        sql`select coalesce("shortFilialName", "nameFilial") as name from filials where "id" = any (${row}."filials")`,
      ),
    state: ({ row }) => stateSql(row),
    uses: ({ row }) => usesSql(row),
    sumGiven: ({ row }) =>
      sql`coalesce((select c."sum" from discount_counters c where c."idDiscount" = ${row}."id"), 0)`,
  },
  hooks: {
    prepare(value, before) {
      const whole = { ...before, ...value } as Row<typeof Discount>
      const errors = discountErrors(whole)
      if (errors.length) throw new ValidationError(errors)
      Object.assign(value, onlyOf(whole))
    },
    beforeCreate(_, { status = 'draft' }) {
      if (status !== 'draft') throw refuse('status', 'Новая скидка — черновик: включите её потом')
    },
    beforeUpdate: changed,
    async beforeDelete({ tx }, { id }) {
      if (await isUsed(tx, id)) throw new HttpError(409, 'Скидкой уже пользовались: её можно убрать в архив')
    },
  },
})

const refuse = (field: string, message: string) => new ValidationError([{ field, message }])

/** Clears fields that do not apply to the kind. */
function onlyOf(whole: { kind: DiscountKind; unit?: 'percent' | 'rubles' }): Value {
  const one = { kind: whole.kind, unit: whole.unit ?? 'percent' }
  return {
    unit: unitOf(one),
    ...(!hasValue(one.kind) && { value: null }),
    ...(!mayBePerOrder(one) && { perOrder: false }),
    ...(one.kind !== 'accumulative' && { tiers: null }),
    ...(one.kind !== 'gift' && { giftEvery: null }),
  }
}

/** Number of uses, without fully reversed ones. */
export const usesSql = (row: Sql): Sql =>
  sql`coalesce((select c."uses" from discount_counters c where c."idDiscount" = ${row}."id"), 0)`

/** Names in one line, in alphabetical order. */
const namesSql = (names: Sql): Sql =>
  sql`coalesce((select string_agg(n.name, ', ' order by n.name) from (${names}) n), '')`

/** As `stateOf` of the model, by the clinic's day. */
const stateSql = (row: Sql): Sql => sql`case when ${row}."status" <> 'active' then 'off'
  when ${row}."dateTo" < ${clinicToday} then 'expired'
  when ${usesSql(row)} >= ${row}."totalUses" then 'exhausted'
  when ${row}."dateFrom" > ${clinicToday} then 'planned' else 'active' end`

/** Shared for applying discounts, exclusive for changing them: no rule changes during a calculation. */
export const lockRules = (tx: Tx, shared: boolean) =>
  tx.query(raw(`select pg_advisory_xact_lock${shared ? '_shared' : ''}(hashtextextended('discounts', 0))`))

const isUsed = async (tx: Tx, id: number): Promise<boolean> =>
  (await tx.one(sql`select 1 from discounts_uses where "idDiscount" = ${id} limit 1`)) !== undefined

async function changed({ tx }: WriteContext, value: Value, before: Row<typeof Discount>): Promise<void> {
  await lockRules(tx, false)
  const { status } = value
  if (status !== undefined && status !== before.status) {
    if (!nextStatuses[before.status].includes(status))
      throw refuse(
        'status',
        `Из «${discountStatuses[before.status]}» в «${discountStatuses[status]}» нельзя: сделайте копию`,
      )
    if (status === 'active') await mayBeOneMore(tx)
  } else if (before.status === 'archived') throw refuse('name', 'Скидка в архиве: сделайте копию')
  const other = valueFields.filter(
    (field) => value[field] !== undefined && JSON.stringify(value[field]) !== JSON.stringify(before[field]),
  )
  if (other.length && (await isUsed(tx, before.id)))
    throw new ValidationError(
      other.map((field) => ({ field, message: 'Скидкой уже пользовались: измените копию — новую версию' })),
    )
}

async function mayBeOneMore(tx: Tx): Promise<void> {
  const active = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from discounts where "status" = 'active' and not "deleted"`,
  )
  if ((active?.count ?? 0) >= MAX_ACTIVE)
    throw refuse('status', `Включено уже ${MAX_ACTIVE} скидок: выключите или уберите в архив ненужные`)
}

/** Creates a new version: all writable fields, as a draft. */
export const copyDiscount = operation(discountCalls.copy, ({ records, params }) =>
  records.tx(async (inside) => {
    const before = await inside.row(Discount, params.id)
    const own = Object.entries(Discount.fields).filter(([field, f]) => isWritable(f) && field !== 'status')
    const body = Object.fromEntries(own.map(([field]) => [field, before[field as keyof typeof before]]))
    const made = await inside.create(Discount, body as Create<typeof Discount>)
    return inside.asSystem.update(Discount, made.id, { version: before.version + 1, idPrevious: before.id })
  }),
)
