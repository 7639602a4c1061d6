/** Tubes: scan steps, the chain of custody, and boxes to a laboratory. */
import { holds } from '@ordinator/model/access'
import { laboratoryCalls, MAX_ROWS, type SampleLine } from '@ordinator/model/areas/laboratory/calls'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabSample, LabSampleStep, LabShipment } from '@ordinator/model/areas/laboratory/sample'
import {
  type ItemStatus,
  isPublished,
  itemAfter,
  rejectReasons,
  type SampleStatus,
  type SampleStep,
  sampleSteps,
  wrongOrderStep,
  wrongSampleStep,
} from '@ordinator/model/areas/laboratory/states'
import { type TempMode, temperatureRange, temperatures } from '@ordinator/model/areas/laboratory/words'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Row, Update } from '@ordinator/model/entity'
import sql, { type Sql } from 'sql-template-tag'
import { labItemCountsSql, lineCountsSql } from '#areas/counted/index.ts'
import { notify } from '#areas/notifications/index.ts'
import { giveAside } from '#areas/visits/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { heldOrder, settleOrder } from './orders.ts'
import { queuePartnerOrder } from './partnerQueue.ts'
import { resultRows, settleValues } from './settle.ts'
import { patientSql } from './shown.ts'

type SampleRow = Row<typeof LabSample>

const refusedScan = (message: string) => new HttpError(409, message, { code: 'transition' })

/** The order step of a tube step, whose right it needs. */
const orderStepOf: { readonly [S in SampleStep]?: 'take' | 'send' | 'begin' | 'reject' } = {
  take: 'take',
  ship: 'send',
  receive: 'begin',
  begin: 'begin',
  reject: 'reject',
}

export const scan = operation(laboratoryCalls.scan, ({ app, records, actor, body }) => {
  const { step, ...more } = body
  if (step && !holds(actor, 'takeLabSamples')) throw forbidden('Вам нельзя отмечать движение проб')
  return records.tx(async (inner, tx) => {
    const code = body.code.replace(/\s/g, '')
    const found = await tx.one<{ id: number; idOrder: number }>(
      sql`select "id", "idOrder" from laboratory_samples where lower("barcode") = lower(${code}) and not "deleted"`,
    )
    if (!found) throw new HttpError(404, `Пробирка ${code.slice(0, 20)} не найдена`)
    const order = await heldOrder(inner, tx, found.idOrder)
    if (step) {
      if (order.status === 'cancelled') throw refusedScan(`Заказ ${order.number} отменён: пробирку не берут`)
      const orderStep = orderStepOf[step]
      // When a part of an order is done, its other tubes may continue.
      const wrong = orderStep && wrongOrderStep(orderStep, order.status)
      if (wrong && order.status !== 'done' && order.status !== 'issued') throw refusedScan(wrong)
      await moveSample(app, inner, tx, await inner.asSystem.row(LabSample, found.id), step, more)
      await settleOrder(inner, tx, found.idOrder)
    }
    return lineOf(tx, found.id)
  })
})

interface More {
  idShipment?: number | undefined
  rack?: string | undefined
  place?: string | undefined
  reason?: keyof typeof rejectReasons | undefined
  note?: string | undefined
}

/** Performs a step of a tube: its state, its custody line, and the order lines it contains. */
export async function moveSample(
  app: AppContext,
  records: Records,
  tx: Tx,
  sample: SampleRow,
  step: SampleStep,
  { idShipment, rack, place, reason, note }: More,
): Promise<void> {
  const wrong = wrongSampleStep(step, sample.status)
  if (wrong) throw refusedScan(wrong)
  const system = records.asSystem
  const to: SampleStatus = sampleSteps[step].to
  const now = new Date().toISOString()
  const set: Update<typeof LabSample> & Record<string, unknown> = { status: to }
  let words = note ?? null
  if (step === 'take') {
    Object.assign(set, { takenAt: now, idTakenBy: records.actor.id || null, expiresAt: await goodUntil(tx, sample.id) })
    await chargeTaken(app, records, tx, sample.id)
  }
  if (step === 'pack') words = await packInto(records, tx, sample, idShipment, set)
  if (step === 'unpack') Object.assign(set, { idShipment: null })
  if (step === 'receive') Object.assign(set, { receivedAt: now })
  if (step === 'archive') {
    if (!rack) throw new ValidationError([{ field: 'rack', message: 'Укажите штатив' }])
    if (place) await assertFree(tx, sample, rack, place)
    Object.assign(set, { rack, place: place ?? null })
    words = `Штатив ${rack}${place ? `, место ${place}` : ''}`
  }
  if (step === 'reject') {
    if (!reason) throw new ValidationError([{ field: 'reason', message: 'Выберите причину брака' }])
    Object.assign(set, { rejectReason: reason, rejectNote: note ?? null })
    words = [rejectReasons[reason], note].filter(Boolean).join(': ')
  }
  await system.update(LabSample, sample.id, set as Update<typeof LabSample>)
  await system.create(LabSampleStep, {
    idSample: sample.id,
    status: to,
    note: words,
    ...(records.actor.id !== 0 && { idAuthor: records.actor.id }),
  })
  const after = itemAfter[to]
  if (after) await moveItems(records, sample, after)
  if (step === 'reject') {
    await dropValues(records, tx, sample, reason as keyof typeof rejectReasons, words ?? '')
    await retake(records, tx, sample, words ?? '')
  }
}

/** @throws HttpError 409 if another tube is there */
async function assertFree(tx: Tx, { id, idLaboratory }: SampleRow, rack: string, place: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(28, hashtext(lower(${`${rack}/${place}`})))`)
  const other = await tx.one<{
    barcode: string
  }>(sql`select "barcode" from laboratory_samples where "status" = 'archived'
    and "idLaboratory" = ${idLaboratory} and lower("rack") = lower(${rack}) and lower("place") = lower(${place})
    and "id" <> ${id} and not "deleted" limit 1`)
  if (other) throw refusedScan(`Место занято: в штативе ${rack}, место ${place}, стоит пробирка ${other.barcode}`)
}

/** Reasons that do not invalidate values measured before. */
const fineBefore: readonly (keyof typeof rejectReasons)[] = ['little', 'expired']

/** Pending values of a refused tube lose their place; of published ones the approver is asked. */
async function dropValues(
  records: Records,
  tx: Tx,
  { id, idFirst }: SampleRow,
  reason: keyof typeof rejectReasons,
  words: string,
): Promise<void> {
  const found = await tx.query<{ id: number }>(sql`select "id" from laboratory_results
    where "idSample" = ${idFirst ?? id} and "status" <> 'dropped' order by "id"`)
  const rows = await resultRows(
    records,
    found.map((one) => one.id),
  )
  await settleValues({ records, tx }, async (settle) => {
    for (const row of rows) {
      const { normText, flag } = row
      if (!isPublished(row.status)) await settle({ how: 'drop', row, why: 'tube', reason: words.slice(0, 500) || null })
      else if (row.isMain && !fineBefore.includes(reason))
        await settle({ how: 'review', row, review: { why: 'tube', normText, flag } })
    }
  })
}

const ahead: Readonly<Record<ItemStatus, readonly ItemStatus[]>> = {
  planned: [],
  taken: ['planned', 'rejected'],
  sent: ['taken'],
  inWork: ['taken', 'sent'],
  rejected: ['taken', 'sent', 'inWork'],
  done: [],
  cancelled: [],
}
/** Lines follow their first tube; a refused part of the material stops them too. */
const moveItems = (records: Records, { id, idFirst }: SampleRow, to: ItemStatus): Promise<unknown> =>
  records.asSystem.updateWhere(
    LabOrderItem,
    ({ row }) =>
      sql`${row}."idSample" = ${to === 'rejected' || to === 'taken' ? (idFirst ?? id) : id} and ${row}."status" = any (${[...ahead[to]]}::text[])`,
    { status: to },
  )

/** Stability of its material, by the test with the shortest one. */
async function goodUntil(tx: Tx, idSample: number): Promise<string | null> {
  const found = await tx.one<{ hours: number | null }>(sql`select min(t."stableHours")::int as hours
    from laboratory_order_items i join laboratory_catalog t on t."id" = i."idTest"
    where i."idSample" = ${idSample} and ${labItemCountsSql()}`)
  return found?.hours ? new Date(Date.now() + found.hours * 3_600_000).toISOString() : null
}

/** Drawn samples count as given: their coupon lines are charged. A retake costs nothing more. */
async function chargeTaken(app: AppContext, records: Records, tx: Tx, idSample: number): Promise<void> {
  const lines = await tx.query<{ id: number }>(sql`select distinct l."id" from coupon_services l
    join laboratory_order_items i on i."idCouponService" = l."id"
    where i."idSample" = ${idSample} and ${labItemCountsSql()} and not l."completed" and ${lineCountsSql()}`)
  if (lines.length)
    await giveAside(
      app,
      records,
      tx,
      lines.map(({ id }) => id),
    )
}

async function packInto(
  records: Records,
  tx: Tx,
  sample: SampleRow,
  idShipment: number | undefined,
  set: Record<string, unknown>,
): Promise<string> {
  if (idShipment === undefined) throw new ValidationError([{ field: 'idShipment', message: 'Выберите контейнер' }])
  await tx.query(sql`select 1 from laboratory_shipments where "id" = ${idShipment} for update`)
  const box = await records.row(LabShipment, idShipment)
  if (box.status !== 'open') throw refusedScan(`Контейнер ${box.number} уже отправлен`)
  if (box.idLaboratory !== sample.idLaboratory) throw refusedScan('Эта проба едет в другую лабораторию')
  if (box.tempMode !== sample.tempMode)
    throw refusedScan(`Пробу везут при ${temperatures[sample.tempMode]}, контейнер — ${temperatures[box.tempMode]}`)
  Object.assign(set, { idShipment })
  return `Контейнер ${box.number}`
}

/** Opens a retake of a refused tube: another tube is pending, a task is created, the ordering doctor is notified. */
async function retake(records: Records, tx: Tx, sample: SampleRow, words: string): Promise<void> {
  const system = records.asSystem
  const order = await system.row(LabOrder, sample.idOrder)
  const items = await tx.query<{ id: number }>(sql`select "id" from laboratory_order_items
    where "idSample" = ${sample.idFirst ?? sample.id} and "status" = 'rejected' and not "deleted"`)
  if (items.length === 0) return
  const { code } = (await tx.one<{ code: string }>(sql`select nextval('laboratory_barcode')::text as code`)) as {
    code: string
  }
  const made = await system.create(LabSample, {
    idOrder: sample.idOrder,
    barcode: code,
    idLaboratory: sample.idLaboratory,
    biomaterial: sample.biomaterial,
    idContainer: sample.idContainer,
    tempMode: sample.tempMode,
    volume: sample.volume,
    idFormer: sample.id,
    idFirst: sample.idFirst,
  })
  if (sample.idFirst === null) {
    await system.updateWhere(
      LabOrderItem,
      ({ row }) => sql`${row}."id" = any (${items.map(({ id }) => id)}::bigint[])`,
      { idSample: made.id },
    )
    await system.updateWhere(LabSample, ({ row }) => sql`${row}."idFirst" = ${sample.id}`, { idFirst: made.id })
  }
  await system.create(Task, {
    name: `Повторное взятие: заказ ${order.number}, пробирка ${code}`,
    description: `<p>Проба ${sample.barcode} забракована: ${words.replace(/[<>&]/g, '')}. Пригласите пациента и возьмите материал заново.</p>`,
    importance: 8,
    dateEnd: new Date(Date.now() + 24 * 3_600_000).toISOString(),
    idUser: order.idAuthor ?? order.idDoctor ?? records.actor.id,
  })
  const recipients = [order.idDoctor, order.idAuthor].filter((id): id is number => id !== null)
  await notify({ actor: records.actor, tx, records }, recipients, {
    kind: 'laboratory.rejected',
    title: `Проба забракована: заказ ${order.number}`,
    text: `${words}. Нужно взять материал заново.`,
    path: LabOrder.path,
    idEntity: order.id,
    link: `/laboratory/orders/${order.id}`,
  })
}

const lines = (which: Sql, limit: Sql): Sql => sql`
  select s."id", s."barcode", s."status", s."idOrder", o."number", ${patientSql} as patient,
    to_char(c."birthday", 'DD.MM.YYYY') as birthday, o."urgency", b."name" as laboratory, k."name" as container, k."cap",
    s."biomaterial", s."tempMode", coalesce((select string_agg(t."name", ', ' order by i."id") from laboratory_order_items i
      join laboratory_catalog t on t."id" = i."idTest" where i."idSample" = coalesce(s."idFirst", s."id") and ${labItemCountsSql()}), '') as tests,
    s."rack", s."place", s."takenAt", s."expiresAt",
    (select count(*)::int from laboratory_samples more where more."idOrder" = s."idOrder" and not more."deleted"
      and more."status" = 'planned') as "left"
  from laboratory_samples s join laboratory_orders o on o."id" = s."idOrder" and not o."deleted"
    join customers c on c."id" = o."idCustomer" join laboratory_list b on b."id" = s."idLaboratory"
    left join laboratory_containers k on k."id" = s."idContainer"
  where not s."deleted" and ${which} order by o."urgency" = 'cito' desc, s."id" limit ${limit}`

/** For a tube whose order was read with the actor's rights. */
async function lineOf(db: Queryable, id: number): Promise<SampleLine> {
  const [found] = await db.query<SampleLine>(lines(sql`s."id" = ${id}`, sql`1`))
  return iso(found as SampleLine)
}
const iso = (line: SampleLine): SampleLine => ({
  ...line,
  takenAt: line.takenAt && new Date(line.takenAt).toISOString(),
  expiresAt: line.expiresAt && new Date(line.expiresAt).toISOString(),
})

export const waiting = operation(laboratoryCalls.waiting, async ({ app, records, query }) => {
  const { items } = JSON.parse(
    await records.list(LabSample, {
      'filter[status]': query.status,
      ...(query.idFilial && { 'filter[order.idFilial]': String(query.idFilial) }),
      ...(query.status === 'planned' && { 'filter[order.status][nin]': 'draft,cancelled' }),
      fields: 'id',
      sort: 'id',
      limit: String(MAX_ROWS),
    }),
  ) as { items: { id: number }[] }
  const ids = items.map(({ id }) => id)
  const found = await app.db.reads.query<SampleLine>(lines(sql`s."id" = any (${ids}::bigint[])`, sql`${MAX_ROWS}::int`))
  return { items: found.map(iso), total: found.length }
})

export const ship = operation(laboratoryCalls.ship, ({ app, records, params, body }) =>
  records.tx(async (inner, tx) => {
    await tx.query(sql`select 1 from laboratory_shipments where "id" = ${params.id} for update`)
    const box = await inner.row(LabShipment, params.id)
    if (box.status !== 'open') throw refusedScan('Контейнер уже отправлен')
    const [low, high] = temperatureRange[box.tempMode as TempMode]
    if (!body.anyway && (body.temperature < low || body.temperature > high))
      throw new ValidationError([
        {
          field: 'temperature',
          message: `Вне режима ${temperatures[box.tempMode]}: проверьте или отправьте с отметкой`,
        },
      ])
    const samples = await inner.asSystem.rows(LabSample, {
      'filter[idShipment]': String(box.id),
      'filter[status]': 'packed',
      sort: 'id',
      limit: '500',
    })
    if (samples.length === 0) throw refusedScan('Контейнер пуст: отсканируйте в него пробы')
    const orders = [...new Set(samples.map(({ idOrder }) => idOrder))].toSorted((a, b) => a - b)
    for (const idOrder of orders)
      await tx.query(sql`select 1 from laboratory_orders where "id" = ${idOrder} for update`)
    for (const sample of samples)
      await moveSample(app, inner, tx, sample, 'ship', { note: `Контейнер ${box.number}, курьер ${body.courier}` })
    for (const idOrder of orders) {
      await settleOrder(inner, tx, idOrder)
      await queuePartnerOrder(app, tx, idOrder, box.idLaboratory)
    }
    await inner.asSystem.update(LabShipment, box.id, {
      status: 'shipped',
      temperature: body.temperature,
      courier: body.courier,
      shippedAt: new Date().toISOString(),
    })
    return inner.row(LabShipment, box.id)
  }),
)
