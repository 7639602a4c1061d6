/** Steps of a plan: offered, agreed on paper or by a code, refused; its other variants. */
import { holds } from '@ordinator/model/access'
import { planCalls } from '@ordinator/model/areas/plans/calls'
import { PlanItem, PlanStage, TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { isAgreed, MAX_VARIANTS, type PlanStep, planSteps, variantName } from '@ordinator/model/areas/plans/rules'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import {
  assertSigner,
  byHand,
  clinicDay,
  codeStateOf,
  type Paper,
  phoneOf,
  type Signing,
  sendCodeOf,
  signerFacts,
  signerOf,
  tryCode,
} from '#areas/consents/index.ts'
import type { Tx } from '#platform/db.ts'
import { conflict, HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { itemsOf } from './progress.ts'

type PlanRow = Row<typeof TreatmentPlan>

/** SQL: variants of one treatment have the same number. */
const groupOf = (alias: string) => raw(`coalesce(${alias}."idFirst", ${alias}."id")`)

/** A plan in the actor's scope, locked with its other variants until the transaction ends. */
async function heldPlan(records: Records, tx: Tx, id: number, version?: number): Promise<PlanRow> {
  await tx.query(sql`select 1 from customer_plans p where ${groupOf('p')} =
    (select ${groupOf('q')} from customer_plans q where q."id" = ${id}) order by p."id" for update`)
  const plan = await records.row(TreatmentPlan, id)
  if (version !== undefined && version !== plan._version) throw conflict(plan)
  return plan
}

function assertStep(step: PlanStep, { status }: PlanRow): void {
  const { from, else: words } = planSteps[step]
  if (!from.includes(status)) throw new HttpError(409, words, { code: 'transition' })
}

const journalled = ({ id, idCustomer }: PlanRow) => ({ entityType: TreatmentPlan.path, idEntity: id, idCustomer })

export const offer = operation(planCalls.offer, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const plan = await heldPlan(inner, tx, params.id, body._version)
    assertStep(body.offered ? 'offer' : 'draft', plan)
    if (body.offered) await assertServices(tx, plan)
    return write(inner, plan, { dateOffered: body.offered ? new Date().toISOString() : null })
  }),
)

/** Writes fields that clients cannot set; the caller has checked the right to the step. */
async function write(records: Records, { id }: PlanRow, set: Partial<PlanRow>): Promise<PlanRow> {
  await records.asSystem.update(TreatmentPlan, id, set)
  return records.row(TreatmentPlan, id)
}

async function assertServices(tx: Tx, { id }: PlanRow): Promise<void> {
  const found = await tx.one<{ count: number; priceless: string | null }>(sql`select count(*)::int as count,
      min(v."nameService") filter (where i."price" is null) as priceless
    from ${itemsOf(id)} i join services v on v."id" = i."idService"`)
  if (!found?.count) throw new HttpError(409, 'В плане нет услуг: добавьте их', { code: 'empty' })
  if (found.priceless) throw new HttpError(409, `Нет цены: ${found.priceless}`, { code: 'price' })
}

/** A plan is agreed by hand or by a code. */
type PlanSigning = Signing & { signMethod: 'paper' | 'sms' }

/** Agrees a locked plan; the other open variants are refused in its favour. */
async function agreePlan(records: Records, tx: Tx, plan: PlanRow, { day, ...signing }: PlanSigning): Promise<PlanRow> {
  assertStep('agree', plan)
  await assertServices(tx, plan)
  if (plan.validTo !== null && plan.validTo < day)
    throw new ValidationError([{ field: 'validTo', message: 'Цены плана действовали раньше: укажите новый срок' }])
  const facts = await signerFacts(tx, plan)
  await assertSigner(tx, facts, day)
  const group = plan.idFirst ?? plan.id
  const other = await tx.one<{ name: string }>(sql`select coalesce(p."variant", p."name") as name from customer_plans p
    where ${groupOf('p')} = ${group} and p."id" <> ${plan.id} and p."dateAgreed" is not null and p."dateRefused" is null
      and not p."deleted" limit 1`)
  if (other) throw new HttpError(409, `Уже согласован другой вариант: ${other.name}`, { code: 'transition' })
  const { signedAt, signMethod, idFile } = signing
  await records.asSystem.updateWhere(
    TreatmentPlan,
    ({ row }) => sql`coalesce(${row}."idFirst", ${row}."id") = ${group} and ${row}."id" <> ${plan.id}
      and ${row}."dateAgreed" is null and ${row}."dateRefused" is null`,
    { dateRefused: raw('now()'), refuseReason: 'variant' },
    { pastHooks: 'Nobody writes to a plan that is held' },
  )
  const agreed = await write(records, plan, {
    dateAgreed: signedAt,
    dateOffered: plan.dateOffered ?? signedAt,
    signMethod,
    representative: signerOf(facts),
    ...(idFile !== undefined && { idFile }),
  })
  await journal(tx, { ...journalActor(records.actor), action: 'sign', ...journalled(plan) })
  return agreed
}

export const agree = operation(planCalls.agree, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const plan = await signedBy(inner, await heldPlan(inner, tx, params.id, body._version), body.idRelation)
    return agreePlan(inner, tx, plan, await byHand(inner, tx, body))
  }),
)

/** Sets the signer of a plan. */
async function signedBy(records: Records, plan: PlanRow, idRelation: number | null | undefined): Promise<PlanRow> {
  assertStep('agree', plan)
  if (idRelation === undefined || idRelation === plan.idRelation) return plan
  return write(records, plan, { idRelation })
}

/** The plan as the document of a code. */
async function paperOf(tx: Tx, plan: PlanRow): Promise<Paper> {
  const { id, name, variant, _version: version } = plan
  const phone = phoneOf(await signerFacts(tx, plan))
  return { of: 'idPlan', id, version, name: ['План лечения', name, variant].filter(Boolean).join(', '), phone }
}

export const codeState = operation(planCalls.codeState, async ({ app, records, params }) => {
  const plan = await records.row(TreatmentPlan, params.id)
  return codeStateOf(app, await app.db.tx((tx) => paperOf(tx, plan)))
})

/** Sends the code that agrees a plan. @param idRelation the signer, if changed */
export const sendPlanCode = (app: AppContext, records: Records, id: number, idRelation?: number | null) =>
  sendCodeOf(app, records, async (inner, tx) => {
    const plan = await signedBy(inner, await heldPlan(inner, tx, id), idRelation)
    assertStep('agree', plan)
    await assertServices(tx, plan)
    await assertSigner(tx, await signerFacts(tx, plan), await clinicDay(tx))
    return paperOf(tx, plan)
  })

export const sendCode = operation(planCalls.sendCode, ({ app, records, params, body }) =>
  sendPlanCode(app, records, params.id, body.idRelation),
)

/** Agrees the plan by the code that was sent. @throws ValidationError at `code` */
export async function agreeByCode(app: AppContext, records: Records, id: number, code: string): Promise<PlanRow> {
  const outcome = await records.tx(async (inner, tx) => {
    const plan = await heldPlan(inner, tx, id)
    assertStep('agree', plan)
    const refused = await tryCode(app, tx, await paperOf(tx, plan), code)
    if (refused !== undefined) return refused
    const day = await clinicDay(tx)
    return agreePlan(inner, tx, plan, { signMethod: 'sms', signedAt: new Date().toISOString(), day })
  })
  if (typeof outcome === 'string') throw new ValidationError([{ field: 'code', message: outcome }])
  return outcome
}

export const confirm = operation(planCalls.confirm, ({ app, records, params, body }) =>
  agreeByCode(app, records, params.id, body.code),
)

export const refuse = operation(planCalls.refuse, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const plan = await heldPlan(inner, tx, params.id, body._version)
    assertStep('refuse', plan)
    const agreed = isAgreed(plan.status)
    if (agreed && !holds(actor, 'agreePlans'))
      throw new HttpError(403, 'От согласованного плана отказываются те, кто его согласует')
    if (agreed) await cancelRest(inner, tx, plan.id)
    return write(inner, plan, {
      dateRefused: new Date().toISOString(),
      refuseReason: body.reason,
      refuseNote: body.note || null,
    })
  }),
)

/** @throws HttpError 409 while something of it is booked */
async function cancelRest(records: Records, tx: Tx, idPlan: number): Promise<void> {
  const rest = await tx.query<{ id: number; qtyBooked: number }>(sql`select i."id", i."qtyBooked"
    from ${itemsOf(idPlan)} i where not i."cancelled" and i."qtyDone" < i."qty"`)
  if (rest.some(({ qtyBooked }) => qtyBooked > 0))
    throw new HttpError(409, 'По плану есть записи впереди: сначала отмените их', { code: 'booked' })
  await records.asSystem.updateWhere(
    PlanItem,
    ({ row }) => sql`${row}."id" = any (${rest.map(({ id }) => id)}::bigint[])`,
    { cancelled: true, cancelReason: 'Отказ от плана' },
    { pastHooks: 'The plan is held' },
  )
}

export const reopen = operation(planCalls.reopen, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const plan = await heldPlan(inner, tx, params.id, body._version)
    assertStep('reopen', plan)
    if (plan.dateAgreed !== null)
      throw new HttpError(409, 'План был согласован: составьте новый', { code: 'transition' })
    return write(inner, plan, { dateRefused: null, refuseReason: null, refuseNote: null, dateOffered: null })
  }),
)

export const copy = operation(planCalls.copy, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const source = await heldPlan(inner, tx, params.id)
    const group = source.idFirst ?? source.id
    const variants = await tx.query<{ id: number }>(
      sql`select p."id" from customer_plans p where ${groupOf('p')} = ${group} and not p."deleted"`,
    )
    if (!body.apart && variants.length >= MAX_VARIANTS)
      throw new HttpError(409, `У лечения не больше ${MAX_VARIANTS} вариантов`, { code: 'many' })
    const { idCustomer, idFilial, diagnosis, icd10, note, idRelation } = source
    const { id } = await inner.create(TreatmentPlan, {
      name: source.name,
      idCustomer,
      idDoctor: source.idDoctor,
      idFilial,
      diagnosis,
      icd10,
      note,
      idRelation,
      ...(!body.apart && { variant: variantName(variants.length) }),
    })
    if (!body.apart) {
      await inner.asSystem.update(TreatmentPlan, id, { idFirst: group })
      if (source.variant === null && source.dateAgreed === null)
        await inner.asSystem.update(TreatmentPlan, source.id, { variant: variantName(0) })
    }
    const skipped = await copyServices(inner, tx, source, id, holds(actor, 'discountPlans'))
    return { plan: await inner.row(TreatmentPlan, id), skipped }
  }),
)

/** @returns the number of services that no longer exist */
async function copyServices(
  records: Records,
  tx: Tx,
  source: PlanRow,
  idPlan: number,
  discounts: boolean,
): Promise<number> {
  const system = records.asSystem
  const stages = await tx.query<
    Row<typeof PlanStage>
  >(sql`select "id", "name", "plannedMonth"::text as "plannedMonth", "zone"
    from customer_plans_stages where "idPlan" = ${source.id} and not "deleted" order by "order", "id"`)
  let all = 0
  let made = 0
  for (const { id: from, name, plannedMonth, zone } of stages) {
    const { id } = await system.create(PlanStage, { idPlan, name, plannedMonth, zone })
    const price = priceSql(raw('v'), raw('v."id"'), { idFilial: sql`${source.idFilial}::bigint` })
    const counted = await tx.one<{ count: number }>(
      sql`select count(*)::int as count from customer_plans_items where "idStage" = ${from} and not "deleted" and not "cancelled"`,
    )
    all += counted?.count ?? 0
    const rows = await system.createFrom(
      PlanItem,
      sql`(select i.*, ${price} as listed from customer_plans_items i join services v on v."id" = i."idService" and v."active"
          and not v."deleted"
        where i."idStage" = ${from} and not i."deleted" and not i."cancelled") i order by i."order", i."id"`,
      {
        idStage: id,
        order: raw('i."order"'),
        idService: raw('i."idService"'),
        qty: raw('i."qty"'),
        price: raw('i.listed'),
        discount: discounts ? raw('least(i."discount", coalesce(i.listed, 0) * i."qty")') : 0,
      },
      { pastHooks: 'What stood in one plan may stand in another, at the prices of today' },
    )
    made += rows.length
  }
  return all - made
}

export const cancelItem = operation(planCalls.cancelItem, ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const item = await inner.row(PlanItem, params.id)
    const stage = await inner.row(PlanStage, item.idStage)
    const plan = await heldPlan(inner, tx, stage.idPlan)
    const now = await inner.row(PlanItem, params.id)
    if (plan.dateAgreed === null || plan.status === 'refused')
      throw new HttpError(409, 'Отменяют услуги согласованного плана; из черновика их убирают', { code: 'transition' })
    if (body.cancelled && !body.reason) throw new ValidationError([{ field: 'reason', message: 'Укажите причину' }])
    if (body.cancelled && now.status === 'done')
      throw new HttpError(409, 'Услуга уже выполнена', { code: 'transition' })
    if (body.cancelled && now.qtyBooked > 0)
      throw new HttpError(409, 'На услугу есть запись: сначала отмените её', { code: 'booked' })
    await inner.asSystem.update(PlanItem, item.id, {
      cancelled: body.cancelled,
      cancelReason: body.cancelled ? (body.reason ?? null) : null,
    })
    return inner.row(PlanItem, item.id)
  }),
)
