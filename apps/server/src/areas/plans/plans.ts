/** Plans, their stages and services: scope, costs, and rules of changes. */

import { holds } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { PlanItem, PlanStage, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { isOpen, itemErrors, MAX_ITEMS, MAX_STAGES, planStatuses, VALID_DAYS } from '@ordinator/model/areas/plans/rules'
import type { Row, Update } from '@ordinator/model/entity'
import type { Permission } from '@ordinator/model/permissions'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import { atDeskOf } from '#areas/filials/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { count, type RowCondition, records, type Scope, type WriteContext } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'
import {
  doneSql,
  itemTotalSql,
  lastVisitSql,
  onceAgreed,
  overdueSql,
  paidSql,
  pieceSql,
  planStatusSql,
  sumSql,
} from './progress.ts'

const ofDesk = atDeskOf((row) => sql`${row}."idDoctor"`)

/** Scope: a doctor's own plans, those one has created, and those of the branches whose desk is the user's. */
const isOwn: RowCondition = (about) => {
  const { row, me } = about
  return sql`(${row}."idDoctor" = ${me} or ${row}."idAuthor" = ${me} or ${ofDesk(about)})`
}
export const planScope: Scope = {
  unless: 'viewCustomerPlansReport',
  view: isOwn,
  update: isOwn,
  create: () => raw('true'),
}

const planAddress = (row: Sql): Sql => sql`'/customer-plans/' || ${row}."id"`

export const plans = records(TreatmentPlan, {
  scope: planScope,
  found: {
    on: 'customerPlan',
    group: 'Планы лечения',
    by: ['name'],
    opens: ({ row }) => planAddress(row),
    hint: ({ row }) => labelSql(planStatusSql(row), planStatuses),
  },
  thread: {
    of: Customer.path,
    kind: 'plans',
    name: 'Планы лечения',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."idCustomer" = ${id}`,
    title: ({ row }) => sql`concat_ws(', ', ${row}."name", ${row}."variant")`,
    hint: ({ row }) => labelSql(planStatusSql(row), planStatuses),
    opens: ({ row }) => planAddress(row),
    author: ({ row }) => sql`${row}."idAuthor"`,
  },
  computed: {
    status: ({ row }) => planStatusSql(row),
    stagesCount: count('stages'),
    sum: ({ row }) => sumSql(row),
    agreed: ({ row }) => onceAgreed(row, sumSql(row)),
    done: ({ row }) => doneSql(row),
    left: ({ row }) => onceAgreed(row, sql`${sumSql(row)} - ${doneSql(row)}`),
    paid: ({ row }) => paidSql(row),
    lastVisit: ({ row }) => lastVisitSql(row),
    overdue: ({ row }) => overdueSql(row),
  },
  hooks: {
    async beforeCreate({ tx, actor }, value) {
      value.validTo ??= plusDays(dayIn(actor.timeZone, Date.now()), VALID_DAYS)
      await checkSigner(tx, value.idCustomer, value)
    },
    async beforeUpdate({ tx, actor }, value, before) {
      if (!actor.system) assertUntouched(actor, value, before)
      await checkSigner(tx, before.idCustomer, value)
    },
  },
})

/** Fields of an agreed plan that remain writable; the term of its prices, with the right to agree. */
const afterAgreement: ReadonlySet<string> = new Set(['idDoctor', 'idFilial', 'idFile', '_version'])

function assertUntouched(actor: ServerActor, value: Update<typeof TreatmentPlan>, before: Row<typeof TreatmentPlan>) {
  if (before.dateAgreed === null) return
  const now = new Map(Object.entries(before))
  for (const [field, given] of Object.entries(value)) {
    if (afterAgreement.has(field) || JSON.stringify(given) === JSON.stringify(now.get(field))) continue
    if (field === 'validTo' && holds(actor, 'agreePlans')) continue
    throw new ValidationError([
      { field, message: 'Согласованный план не меняют: составьте новый вариант или новый план' },
    ])
  }
}

async function checkSigner(tx: Tx, idCustomer: number, { idRelation }: { idRelation?: number | null }): Promise<void> {
  if (!idRelation) return
  const own = await tx.one(sql`select 1 from customers_relations
    where "id" = ${idRelation} and "idCustomer" = ${idCustomer} and not "deleted"`)
  if (!own) throw new ValidationError([{ field: 'idRelation', message: 'Это представитель другого клиента' }])
}

/** The plan whose services are written. */
interface Held {
  id: number
  idFilial: number | null
}

/**
 * Locks the plan until the transaction ends, if its services may be changed.
 *
 * @param field names the plan in the body of the request
 * @throws ValidationError if there is no such plan, HttpError 409 once it is agreed or refused
 */
async function openPlan(tx: Tx, idPlan: number | undefined, field: string): Promise<Held> {
  // Read after locking, to see concurrent writes.
  await tx.query(sql`select 1 from customer_plans where "id" = ${idPlan ?? null} for update`)
  const plan = await tx.one<Held & { status: keyof typeof planStatuses }>(
    sql`select p."id", p."idFilial", ${planStatusSql(raw('p'))} as status from customer_plans p
      where p."id" = ${idPlan ?? null}`,
  )
  if (!plan) throw new ValidationError([{ field, message: 'Запись не найдена' }])
  if (!isOpen(plan.status))
    throw new HttpError(
      409,
      plan.status === 'refused'
        ? 'От этого плана отказались: возобновите его'
        : 'План согласован: услуги и цены не меняются. Составьте новый вариант или новый план',
      { code: 'transition' },
    )
  return plan
}

const ofStage = async (tx: Tx, idStage: number): Promise<Held> => {
  const stage = await tx.one<{ idPlan: number }>(
    sql`select "idPlan" from customer_plans_stages where "id" = ${idStage}`,
  )
  return openPlan(tx, stage?.idPlan, 'idStage')
}

async function refuseMore(tx: Tx, counted: Sql, most: number, field: string, words: string): Promise<void> {
  const found = await tx.one<{ count: number }>(sql`select count(*)::int as count from ${counted}`)
  if ((found?.count ?? 0) >= most) throw new ValidationError([{ field, message: `В плане не больше ${most} ${words}` }])
}

/** A signature covers the plan with its parts: a change of any part increments the plan's version. */
const touch = ({ records: all }: WriteContext, idPlan: number): Promise<unknown> =>
  all.asSystem.updateWhere(
    TreatmentPlan,
    ({ row }) => sql`${row}."id" = ${idPlan}`,
    { dateChange: raw('clock_timestamp()') },
    { pastHooks: 'Nothing of the plan itself is written' },
  )

/** The planned month of a stage may be changed at any time. */
const stageAfter: ReadonlySet<string> = new Set(['plannedMonth', 'order', '_version'])

export const planStages = records(PlanStage, {
  hooks: {
    async beforeCreate({ tx }, value) {
      await openPlan(tx, value.idPlan, 'idPlan')
      const counted = sql`customer_plans_stages where "idPlan" = ${value.idPlan} and not "deleted"`
      await refuseMore(tx, counted, MAX_STAGES, 'idPlan', 'этапов')
    },
    async beforeUpdate({ tx, actor }, value, before) {
      if (!actor.system && Object.keys(value).some((field) => !stageAfter.has(field)))
        await openPlan(tx, before.idPlan, 'idPlan')
    },
    beforeDelete: async ({ tx }, { idPlan }) => void (await openPlan(tx, idPlan, 'idPlan')),
    afterCreate: async (context, { idPlan }) => void (await touch(context, idPlan)),
    afterUpdate: async (context, { idPlan }) => void (await touch(context, idPlan)),
    afterDelete: async (context, { idPlan }) => void (await touch(context, idPlan)),
    async afterRestore(context, { idPlan }) {
      await openPlan(context.tx, idPlan, 'idPlan')
      await touch(context, idPlan)
    },
  },
})

const may = (actor: ServerActor, permission: Permission) => actor.system === true || holds(actor, permission)
const noRight = (field: string) =>
  new ValidationError([{ field, message: 'Свои цены и скидки в планах вам не разрешены' }])

export const planItems = records(PlanItem, {
  computed: {
    total: ({ row }) => itemTotalSql(row),
    status: ({ row }) => sql`case when ${row}."cancelled" then 'cancelled'
      when ${pieceSql(row, 'qtyDone')} >= ${row}."qty" then 'done'
      when ${pieceSql(row, 'qtyBooked')} > 0 then 'booked' else 'planned' end`,
    qtyDone: ({ row }) => pieceSql(row, 'qtyDone'),
    qtyBooked: ({ row }) => pieceSql(row, 'qtyBooked'),
    done: ({ row }) => pieceSql(row, 'done'),
    paid: ({ row }) => pieceSql(row, 'paid'),
  },
  hooks: {
    async beforeCreate({ tx, actor }, value) {
      const plan = await ofStage(tx, value.idStage)
      const counted = sql`customer_plans_items i join customer_plans_stages s on s."id" = i."idStage"
        where s."idPlan" = ${plan.id} and not i."deleted" and not s."deleted"`
      await refuseMore(tx, counted, MAX_ITEMS, 'idStage', 'услуг')
      const service = await tx.one<{ active: boolean; price: number | null }>(
        sql`select s."active", (${priceSql(raw('s'), raw('s."id"'), { idFilial: sql`${plan.idFilial}::bigint` })})::float8 as price
          from services s where s."id" = ${value.idService} and not s."deleted"`,
      )
      if (service && !service.active)
        throw new ValidationError([{ field: 'idService', message: 'Услуга больше не оказывается' }])
      const listed = service?.price ?? null
      if (value.price === undefined || value.price === null) value.price = listed
      else if (value.price !== listed && !may(actor, 'discountPlans')) throw noRight('price')
      if (value.discount && !may(actor, 'discountPlans')) throw noRight('discount')
      assertMoney({ qty: 1, price: null, discount: 0, ...value })
    },
    async beforeUpdate({ tx, actor }, value, before) {
      if (actor.system || Object.keys(value).every((field) => field === 'order' || field === '_version')) return
      await ofStage(tx, before.idStage)
      for (const field of ['price', 'discount'] as const)
        if (value[field] !== undefined && value[field] !== before[field] && !may(actor, 'discountPlans'))
          throw noRight(field)
      assertMoney({ ...before, ...value })
    },
    beforeDelete: async ({ tx }, { idStage }) => void (await ofStage(tx, idStage)),
    afterCreate: (context, { idStage }) => touchOf(context, idStage),
    afterUpdate: (context, { idStage }) => touchOf(context, idStage),
    afterDelete: (context, { idStage }) => touchOf(context, idStage),
    async afterRestore(context, { idStage }) {
      await ofStage(context.tx, idStage)
      await touchOf(context, idStage)
    },
  },
})

function assertMoney(item: Pick<Row<typeof PlanItem>, 'qty' | 'price' | 'discount'>): void {
  const errors = itemErrors(item)
  if (errors.length) throw new ValidationError(errors)
}

async function touchOf(context: WriteContext, idStage: number): Promise<void> {
  const stage = await context.tx.one<{ idPlan: number }>(
    sql`select "idPlan" from customer_plans_stages where "id" = ${idStage}`,
  )
  if (stage) await touch(context, stage.idPlan)
}
