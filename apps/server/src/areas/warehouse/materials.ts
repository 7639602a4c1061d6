/**
 * Materials of visits by the norms of their services: reserved for an upcoming visit, written off when it is done.
 * Never blocks a visit: a shortage leaves a draft for the storekeeper.
 */
import { DocumentLine, WarehouseDocument } from '@ordinator/model/areas/warehouse/document'
import { pickFefo, thousandths } from '@ordinator/model/areas/warehouse/rules'
import sql from 'sql-template-tag'
import { couponCountsSql, lineCountsSql } from '#areas/counted/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { Records } from '#records/records.ts'
import { lockGoods, type Pair, setReserves } from './ledger.ts'
import { onHand } from './moves.ts'
import { postDocument, unpostDocument } from './posting.ts'

interface Visit {
  idFilial: number
  localDate: string
  status: string
}

/** A material needed by a service of the visit. */
interface Need {
  idCouponService: number
  idProduct: number
  replacement: number[]
  qty: number
}

const TO_COME = new Set(['booked', 'confirmed', 'arrived', 'inProgress'])

/**
 * Brings reservations and write-offs of a visit in line with its services; idempotent.
 * Callers that change a visit's services or status call it at the end of the transaction.
 */
export async function settleMaterials(records: Records, tx: Tx, idAppointment: number): Promise<void> {
  const { reserveMaterials, autoWriteOff, defaultWarehouses, fefoMargin } = await readCommonSettings(tx)
  const visit = await tx.one<Visit & { settled: boolean }>(sql`
    select a."idFilial", a."localDate"::text as "localDate", a."visitStatus" as status,
      not exists (select 1 from warehouse_documents d where d."idAppointment" = a."id" and d."status" = 'posted')
      and not exists (select 1 from warehouse_reserves r where r."idAppointment" = a."id") as settled
    from appointments a where a."id" = ${idAppointment}`)
  if (!visit || (!reserveMaterials && !autoWriteOff && visit.settled)) return
  const idWarehouse = defaultWarehouses[visit.idFilial]
  const isToCome = TO_COME.has(visit.status)
  const isDone = visit.status === 'completed'
  const needs = idWarehouse !== undefined && (isDone || isToCome) ? await needsOf(tx, idAppointment) : []
  // Locks all affected goods at once, so that two visits cannot deadlock.
  const touched = await tx.query<Pair>(sql`
    select "idWarehouse", "idProduct" from warehouse_reserves where "idAppointment" = ${idAppointment}
    union select m."idWarehouse", m."idProduct" from warehouse_moves m join warehouse_documents d on d."id" = m."idDocument"
      where d."idAppointment" = ${idAppointment} and d."status" = 'posted'`)
  const products = needs.flatMap(({ idProduct, replacement }) => [idProduct, ...replacement])
  await lockGoods(tx, [
    ...touched,
    ...(idWarehouse === undefined ? [] : products.map((idProduct) => ({ idWarehouse, idProduct }))),
  ])
  if (!isDone) await takeBack(records, tx, idAppointment)
  if (!isToCome || !reserveMaterials || idWarehouse === undefined) await setReserves(tx, idAppointment, [])
  else await reserve(tx, idAppointment, idWarehouse, visit.localDate, needs, fefoMargin)
  if (isDone && autoWriteOff && idWarehouse !== undefined)
    await writeOff(records, tx, idAppointment, idWarehouse, visit, needs)
}

function needsOf(tx: Tx, idAppointment: number): Promise<Need[]> {
  return tx.query<Need>(sql`
    select l."id" as "idCouponService", n."idProduct", n."replacement", (n."qty" * l."qty")::float8 as qty
    from coupon_services l join coupons c on c."id" = l."idCoupon"
    join service_consumables n on n."idService" = l."idService" and not n."deleted" and not n."optional"
    where c."idAppointment" = ${idAppointment} and ${couponCountsSql()} and ${lineCountsSql()}
    order by l."id", n."id" limit 500`)
}

async function reserve(
  tx: Tx,
  idAppointment: number,
  idWarehouse: number,
  day: string,
  needs: readonly Need[],
  margin: number,
): Promise<void> {
  const goods = [...new Set(needs.flatMap(({ idProduct }) => idProduct))]
  await lockGoods(
    tx,
    goods.map((idProduct) => ({ idWarehouse, idProduct })),
  )
  const own = await tx.query<{
    idBatch: number
    qty: number
  }>(sql`select "idBatch", "qty"::float8 as qty from warehouse_reserves
    where "idAppointment" = ${idAppointment} and "idWarehouse" = ${idWarehouse}`)
  const batches = await onHand(tx, idWarehouse, goods)
  const wanted = goods.flatMap((idProduct) => {
    const need = needs.reduce((sum, one) => sum + (one.idProduct === idProduct ? one.qty : 0), 0)
    const choice = batches
      .filter((batch) => batch.idProduct === idProduct)
      // Stock reserved for this visit counts as free.
      .map((batch) => ({
        ...batch,
        free: batch.free + (own.find((one) => one.idBatch === batch.idBatch)?.qty ?? 0),
        received: batch.idBatch,
      }))
    return pickFefo(choice, need, day, margin).picks.map((pick) => ({ ...pick, idWarehouse, idProduct }))
  })
  await setReserves(tx, idAppointment, wanted)
}

/** Creates the document of the visit's materials, and posts it if all are in stock. */
async function writeOff(
  records: Records,
  tx: Tx,
  idAppointment: number,
  idWarehouse: number,
  visit: Visit,
  needs: readonly Need[],
): Promise<void> {
  if (needs.length === 0) return
  const known = await tx.one(sql`select 1 from warehouse_documents
    where "idAppointment" = ${idAppointment} and "status" <> 'cancelled' and not "deleted"`)
  if (known) return
  const system = records.asSystem
  const products = [...new Set(needs.flatMap(({ idProduct, replacement }) => [idProduct, ...replacement]))]
  await lockGoods(
    tx,
    products.map((idProduct) => ({ idWarehouse, idProduct })),
  )
  const batches = await onHand(tx, idWarehouse, products)
  const left = new Map(
    products.map((id) => [
      id,
      batches.reduce(
        (sum, one) =>
          sum +
          (one.idProduct === id && !one.blocked && (one.expiry === null || one.expiry >= visit.localDate)
            ? thousandths(one.free)
            : 0),
        0,
      ),
    ]),
  )
  const document = await system.create(WarehouseDocument, {
    kind: 'issue',
    localDate: visit.localDate,
    idFrom: idWarehouse,
    idAppointment,
    comment: 'По нормам оказанных услуг',
  })
  await system.createMany(
    DocumentLine,
    needs.map(({ idCouponService, idProduct, replacement, qty }) => {
      const whole = thousandths(qty)
      const taken = [idProduct, ...replacement].find((id) => (left.get(id) ?? 0) >= whole) ?? idProduct
      left.set(taken, (left.get(taken) ?? 0) - whole)
      return { idDocument: document.id, idProduct: taken, qty: whole / 1000, norm: whole / 1000, idCouponService }
    }),
    { pastHooks: 'Goods of norms, into a draft made here' },
  )
  await tx.query(sql`savepoint materials`)
  try {
    await postDocument(system, tx, document)
    await tx.query(sql`release savepoint materials`)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    await tx.query(sql`rollback to savepoint materials`)
  }
}

/** Reverses the write-off of a visit that is not done, unless its period is closed. */
async function takeBack(records: Records, tx: Tx, idAppointment: number): Promise<void> {
  const system = records.asSystem
  const documents = await tx.query<{ id: number }>(sql`select "id" from warehouse_documents
    where "idAppointment" = ${idAppointment} and "status" in ('posted', 'draft') and not "deleted" order by "id" for no key update`)
  for (const { id } of documents) {
    const document = await system.row(WarehouseDocument, id)
    if (document.status === 'draft') {
      await system.update(WarehouseDocument, id, { status: 'cancelled' })
      continue
    }
    await tx.query(sql`savepoint materials`)
    try {
      await unpostDocument(system, tx, document, 'cancelled')
      await tx.query(sql`release savepoint materials`)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      await tx.query(sql`rollback to savepoint materials`)
    }
  }
}
