/** Orders of tests: price estimate, creation, cancellation and issue. Their lines are coupon lines. */
import { holds } from '@ordinator/model/access'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { laboratoryCalls } from '@ordinator/model/areas/laboratory/calls'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabSample } from '@ordinator/model/areas/laboratory/sample'
import {
  cancelReasons,
  type ItemStatus,
  type OrderStatus,
  orderStatusOf,
  wrongOrderStep,
} from '@ordinator/model/areas/laboratory/states'
import { readyAt } from '@ordinator/model/areas/laboratory/term'
import type { Biomaterial, TempMode, Urgency } from '@ordinator/model/areas/laboratory/words'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { Row } from '@ordinator/model/entity'
import { kopecks } from '@ordinator/model/money'
import { dayIn, wallOf } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { estimateOf, reasonsOf } from '#areas/discounts/index.ts'
import { readCalendar } from '#areas/filials/index.ts'
import { addAside, refuseAside } from '#areas/visits/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { conflict, forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { assertVisible } from '#records/reference.ts'
import { planOf, type Sold, tubes, type Wanted } from './orderPlan.ts'
import { queuePartnerCancel } from './partnerQueue.ts'

export type OrderRow = Row<typeof LabOrder>

async function zoneOf(db: Queryable, idFilial: number): Promise<string> {
  const found = await db.one<{ zone: string | null }>(
    sql`select nullif("timeZone", '') as zone from filials where "id" = ${idFilial} and not "deleted"`,
  )
  if (!found) throw new ValidationError([{ field: 'idFilial', message: 'Такого филиала нет' }])
  return found.zone ?? 'Europe/Moscow'
}

export const quote = operation(laboratoryCalls.quote, async ({ app, records, actor, body }) => {
  const db = app.db.reads
  const { idCustomer = null, idDoctor, idFilial } = body
  // The price includes what the patient has: discounts, memberships.
  if (idCustomer !== null) {
    await assertVisible(records, Customer, idCustomer, 'idCustomer')
    await records.mustOpen(Customer, idCustomer)
  }
  const plan = await planOf(db, body.tests, body.idFilial)
  const term = await termsOf(db, body.idFilial, body.urgency ?? 'routine')
  const byId = new Map(plan.wanted.map((one) => [one.id, one]))
  const dueOf = ({ id, isPanel }: Sold) =>
    lastOf(plan.wanted.filter((one) => (isPanel ? one.idPanel === id : one.id === id)).map(term))
  const priced = plan.sold.filter(({ idService, price }) => idService !== null && price !== null)
  const zone = await zoneOf(db, idFilial)
  // The order is billed as a visit of this moment: the same estimate gives its cost.
  const estimate = priced.length
    ? await estimateOf(records.asSystem, db, {
        ...{ idCustomer, idFilial, localDate: dayIn(zone, Date.now()), localStart: timeIn(zone, Date.now()) },
        lines: priced.map(({ idService }) => ({ idService: idService as number, idUser: idDoctor ?? actor.id })),
      })
    : { base: 0, final: 0, lines: [] }
  const finals = new Map(priced.map(({ id }, at) => [id, estimate.lines[at]?.final ?? null]))
  const extra = [...plan.within].map(([id, within]) => {
    const one = byId.get(id) as Wanted
    return {
      ...{
        idTest: id,
        name: one.name,
        laboratory: one.laboratory,
        isPanel: false,
        price: 0,
        final: 0,
        preparation: null,
        within,
        covered: null,
      },
      dueAt: term(one),
    }
  })
  const lines = plan.sold.map((one) => ({
    ...{ idTest: one.id, name: one.name, isPanel: one.isPanel, price: one.price, preparation: one.preparation },
    final: finals.get(one.id) ?? null,
    laboratory: laboratoriesOf(
      plan.wanted.filter((part) => (one.isPanel ? part.idPanel === one.id : part.id === one.id)),
    ),
    dueAt: dueOf(one),
    within: null,
    covered: plan.covered.get(one.id) ?? null,
  }))
  const preparations = Map.groupBy(
    lines.filter(({ preparation }) => preparation),
    ({ preparation }) => preparation as string,
  )
  return {
    lines: [...lines, ...extra],
    base: estimate.base,
    total: estimate.final,
    why: reasonsOf(
      estimate.lines.flatMap(({ applied }) => applied.map(({ name, amount }) => ({ name, amount: kopecks(amount) }))),
    ),
    dueAt: lastOf(plan.wanted.map(term)),
    preparation: [...preparations].map(([text, of]) => ({ text, tests: of.map(({ name }) => name) })),
    tubes: tubesOf(plan.wanted, byId),
  }
})

/** The tubes to be drawn, each with its tests. */
const tubesOf = (wanted: readonly Wanted[], byId: ReadonlyMap<number, Wanted>) =>
  tubes(wanted).map(({ lines, volume, part }) => {
    const { laboratory, biomaterial, container, cap, additive, tempMode } = byId.get(lines[0] as number) as Wanted
    const tests = lines.map((id) => byId.get(id)?.name ?? '')
    return { laboratory, biomaterial, container, cap, additive, tempMode, volume, part, tests }
  })

/** `HH:mm` on the clock of the branch. */
const timeIn = (zone: string, moment: number): string => new Date(wallOf(moment, zone)).toISOString().slice(11, 16)

const laboratoriesOf = (parts: readonly Wanted[]): string =>
  [...new Set(parts.map(({ laboratory }) => laboratory))].join(', ')
const lastOf = (moments: readonly string[]): string => moments.reduce((a, b) => (a > b ? a : b), '')

async function termsOf(db: Queryable, idFilial: number, urgency: Urgency): Promise<(one: Wanted) => string> {
  const zone = await zoneOf(db, idFilial)
  const calendar = await readCalendar(db, dayIn(zone, Date.now()))
  const now = Date.now()
  return ({ termDays, cutoff, isPartner }) =>
    readyAt({ termDays, cutoff, isPartner }, now, zone, calendar, urgency === 'cito')
}

/** A user with only the rights of КДЛ may order from partners only. */
function assertMayOrder({ actor }: Pick<Records, 'actor'>, wanted: readonly Wanted[]): void {
  if (holds(actor, 'orderLaboratory')) return
  if (wanted.some(({ isPartner }) => !isPartner))
    throw forbidden('Вам доступны заказы только в лаборатории-партнёры (КДЛ)')
}

export const place = operation(laboratoryCalls.place, {
  async once({ records: inner, tx, body }) {
    const { key, tests, draft, idAppointment = null, ...facts } = body
    await assertVisible(inner, Customer, body.idCustomer, 'idCustomer')
    if (idAppointment) await assertVisible(inner, Appointment, idAppointment, 'idAppointment')
    const { wanted } = await planOf(tx, tests, body.idFilial)
    assertMayOrder(inner, wanted)
    await zoneOf(tx, body.idFilial)
    const order = await inner.asSystem.create(LabOrder, { ...facts, idAppointment, number: await numberOf(tx) })
    await tx.query(sql`insert into laboratory_order_wishes ("idOrder", "idTest", "at")
      select ${order.id}, w.id, w.at from unnest(${[...new Set(tests)]}::bigint[]) with ordinality w(id, at)`)
    if (!draft) await placeOrder(inner, tx, order)
    return order.id
  },
  answer: ({ records, id }) => records.row(LabOrder, id as number),
})

async function numberOf(tx: Tx): Promise<string> {
  const found = await tx.one<{ number: string }>(
    sql`select 'Л-' || lpad(nextval('laboratory_order_number')::text, 6, '0') as number`,
  )
  return (found as { number: string }).number
}

/** Creates lines, tubes and deadlines of a draft order. */
async function placeOrder(records: Records, tx: Tx, order: OrderRow): Promise<void> {
  const system = records.asSystem
  const wishes = await tx.query<{ id: number }>(
    sql`select "idTest" as id from laboratory_order_wishes where "idOrder" = ${order.id} order by "at"`,
  )
  const { sold, wanted } = await planOf(
    tx,
    wishes.map(({ id }) => id),
    order.idFilial,
  )
  if (sold.length === 0) throw new ValidationError([{ field: 'tests', message: 'Выберите исследования' }])
  const priceless = sold.find(({ idService, price }) => idService === null || price === null)
  if (priceless)
    throw new ValidationError([
      { field: 'tests', message: `Нет услуги или цены: ${priceless.name}. Укажите услугу в каталоге исследований` },
    ])
  const term = await termsOf(tx, order.idFilial, order.urgency)
  const { actor } = records
  const { idAppointment, lines } = await addAside(records, tx, {
    ...{ idCustomer: order.idCustomer, idFilial: order.idFilial, idAppointment: order.idAppointment },
    idUser: order.idDoctor ?? actor.id,
    idServices: sold.map(({ idService }) => idService as number),
    note: `Заказ анализов ${order.number ?? ''}`,
  })
  const lineOf = new Map(sold.map(({ id }, at) => [id, lines[at] as number]))
  const planned = tubes(wanted)
  // A test in several tubes names the first; the others continue it.
  const sampleOf = new Map<number, number>()
  const codes = await tx.query<{ code: string }>(
    sql`select nextval('laboratory_barcode')::text as code from generate_series(1, ${planned.length}::int)`,
  )
  for (const [at, tube] of planned.entries()) {
    const sample = await system.create(LabSample, {
      idOrder: order.id,
      barcode: (codes[at] as { code: string }).code,
      idLaboratory: tube.idLaboratory as number,
      biomaterial: tube.biomaterial as Biomaterial,
      idContainer: tube.idContainer,
      tempMode: tube.tempMode as TempMode,
      volume: tube.volume,
      idFirst: tube.part > 0 ? (sampleOf.get(tube.lines[0] as number) ?? null) : null,
    })
    if (tube.part === 0) for (const id of tube.lines) sampleOf.set(id, sample.id)
  }
  await system.createMany(
    LabOrderItem,
    wanted.map((one) => ({
      idOrder: order.id,
      idTest: one.id,
      idPanel: one.idPanel,
      idLaboratory: one.idLaboratory,
      idSample: sampleOf.get(one.id) ?? null,
      idCouponService: lineOf.get(one.idPanel ?? one.id) ?? null,
      dueAt: term(one),
      cost: one.cost,
    })),
  )
  await system.update(LabOrder, order.id, {
    status: 'placed',
    idAppointment,
    placedAt: new Date().toISOString(),
    dueAt: lastOf(wanted.map(term)),
  })
}

/**
 * An order in the actor's scope, locked until the end of the transaction.
 * @throws HttpError 404, 409
 */
export async function heldOrder(records: Records, tx: Tx, id: number, version?: number): Promise<OrderRow> {
  await tx.query(sql`select 1 from laboratory_orders where "id" = ${id} for update`)
  const order = await records.row(LabOrder, id)
  if (version !== undefined && version !== order._version) throw conflict(order)
  return order
}

const wrongStep = (message: string) => new HttpError(409, message, { code: 'transition' })

export const confirm = operation(laboratoryCalls.confirm, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const order = await heldOrder(inner, tx, params.id, body._version)
    const wrong = wrongOrderStep('place', order.status)
    if (wrong) throw wrongStep(wrong)
    await placeOrder(inner, tx, order)
    return inner.row(LabOrder, order.id)
  }),
)

export const cancel = operation(laboratoryCalls.cancel, ({ app, records, params, body }) =>
  records.tx(async (inner, tx) => {
    const order = await heldOrder(inner, tx, params.id, body._version)
    const wrong = wrongOrderStep('cancel', order.status)
    if (wrong && !body.items) throw wrongStep(wrong)
    const items = await tx.query<{ id: number; status: ItemStatus; idLine: number | null; idPanel: number | null }>(
      sql`select "id", "status", "idCouponService" as "idLine", "idPanel" from laboratory_order_items
        where "idOrder" = ${order.id} and not "deleted" and "status" <> 'cancelled' order by "id"`,
    )
    // All tests of a panel are cancelled together: they have one price.
    const panels = new Set(
      items.filter(({ id, idPanel }) => idPanel && body.items?.includes(id)).map((one) => one.idPanel),
    )
    const going = body.items
      ? items.filter(({ id, idPanel }) => body.items?.includes(id) || panels.has(idPanel))
      : items
    if (going.some(({ status }) => status === 'inWork' || status === 'done'))
      throw wrongStep('Исследование уже делается: отменить его нельзя')
    const words = [cancelReasons[body.reason], body.note].filter(Boolean).join(': ')
    await inner.asSystem.updateWhere(
      LabOrderItem,
      ({ row }) => sql`${row}."id" = any (${going.map(({ id }) => id)}::bigint[])`,
      { status: 'cancelled', cancelReason: words },
    )
    const lines = [...new Set(going.flatMap(({ idLine }) => (idLine === null ? [] : [idLine])))]
    if (lines.length) await refuseAside(app, inner, tx, lines, words)
    if (going.length === items.length) {
      await inner.asSystem.update(LabOrder, order.id, {
        status: 'cancelled',
        cancelReason: body.reason,
        cancelNote: body.note ?? null,
      })
      await queuePartnerCancel(app, tx, order.id)
    } else await settleOrder(inner, tx, order.id)
    return inner.row(LabOrder, order.id)
  }),
)

/** Sets the state of an order by its lines. */
export async function settleOrder(records: Records, tx: Tx, id: number): Promise<OrderStatus> {
  const order = await records.asSystem.row(LabOrder, id)
  if (order.status === 'draft' || order.status === 'cancelled') return order.status
  const items = await tx.query<{ status: ItemStatus }>(
    sql`select "status" from laboratory_order_items where "idOrder" = ${id} and not "deleted"`,
  )
  const status = orderStatusOf(
    items.map((one) => one.status),
    order.issuedAt !== null,
  )
  const now = new Date().toISOString()
  const first = { taken: 'takenAt', sent: 'sentAt', done: 'doneAt' } as const
  const field = first[status as keyof typeof first]
  // Any state after the draw implies it.
  const dates = {
    ...(order.takenAt === null && !['placed'].includes(status) && { takenAt: now }),
    ...(field && order[field] === null && { [field]: now }),
  }
  if (status !== order.status || Object.keys(dates).length)
    await records.asSystem.update(LabOrder, id, { status, ...dates })
  return status
}

/** Marks an order as issued; mail, portal and chat are sent by the caller. */
export async function markIssued(records: Records, tx: Tx, order: OrderRow, how: string): Promise<void> {
  const wrong = wrongOrderStep('issue', order.status)
  if (wrong) throw wrongStep(wrong)
  const now = new Date().toISOString()
  await records.asSystem.update(LabOrder, order.id, {
    issuedAt: now,
    reissue: false,
    ...(records.actor.id !== 0 && { idIssuer: records.actor.id }),
    ...(order.status === 'done' && { status: 'issued' as const }),
  })
  await journal(tx, {
    ...journalActor(records.actor),
    action: 'export',
    entityType: LabOrder.path,
    idEntity: order.id,
    idCustomer: order.idCustomer,
    basis: how,
  })
}

/** The order's day in the branch's time zone, `YYYY-MM-DD`. */
export const dayOfOrder = (timeZone: string, moment: string | null): string =>
  dayIn(timeZone, moment === null ? Date.now() : Date.parse(moment))
