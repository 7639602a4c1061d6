/** Visits, orders and tubes of the demo laboratory. */
import { LabOrder } from '@ordinator/model/areas/laboratory/order'
import { tubesOf } from '@ordinator/model/areas/laboratory/preanalytics'
import { LabSample, LabSampleStep, LabShipment } from '@ordinator/model/areas/laboratory/sample'
import type { ItemStatus, OrderStatus, SampleStatus } from '@ordinator/model/areas/laboratory/states'
import type { Biomaterial, TempMode } from '@ordinator/model/areas/laboratory/words'
import { Appointment, Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { payForVisits } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { pastHooks } from './demoCatalogue.ts'
import { archivePlace, chance, DAY, doneAfter, given, HOUR, type Planned, type Test } from './demoPlan.ts'

interface Ids {
  id: number
}

export interface Making {
  records: Records
  tx: Tx
  idFilial: number
  idPartner: number
  plan: readonly Planned[]
  /** ISO of a moment, not after now. */
  iso(moment: number): string
  nurse: Ids
  worker: Ids
  keeper: Ids
}

export interface Item {
  test: Test
  idPanel: number | null
  idLine: number | null
  order: number
  sample: number
  plan: Planned
}

export async function demoVisits({ records, tx, idFilial, plan, iso, keeper }: Making) {
  const system = records.asSystem
  // Visits without a doctor's time, as orders at the desk create them.
  const real = plan.filter(({ status }) => status !== 'draft')
  const wallOf = (at: number) => new Date(at + 3 * HOUR).toISOString()
  const visits = await system.createMany(
    Appointment,
    real.map(({ at, customer, status, doctor }) => ({
      idCustomer: customer.id,
      idFilial,
      idUser: doctor.id,
      localDate: wallOf(at).slice(0, 10),
      localStart: wallOf(at).slice(11, 16),
      dateFrom: iso(at),
      dateTo: new Date(at + 15 * 60_000).toISOString(),
      visitStatus: given(status) || status === 'cancelled' ? ('completed' as const) : ('arrived' as const),
      note: 'Заказ анализов',
      idAuthor: keeper.id,
      dateCreate: iso(at),
    })),
    pastHooks,
  )
  const coupons = await system.createMany(
    Coupon,
    real.map(({ at, sold, doctor }, i) => ({
      idAppointment: visits[i]?.id as number,
      idService: sold[0]?.idService as number,
      idUser: doctor.id,
      idFilial,
      localDate: wallOf(at).slice(0, 10),
      localStart: wallOf(at).slice(11, 16),
      dateFrom: iso(at),
      dateTo: new Date(at + 15 * 60_000).toISOString(),
      minutes: 15,
      overbooked: true,
      dateCreate: iso(at),
    })),
    pastHooks,
  )
  const lines = await system.createMany(
    CouponService,
    real.flatMap(({ at, sold, status }, i) =>
      sold.map(({ idService, price }) => ({
        idCoupon: coupons[i]?.id as number,
        idService,
        price,
        completed: given(status),
        dateCompleted: given(status) ? iso(at + 0.3 * HOUR) : null,
        cancelled: status === 'cancelled',
        refusalReason: status === 'cancelled' ? 'Отказ пациента' : null,
        dateCreate: iso(at),
      })),
    ),
    pastHooks,
  )
  // Visits are paid here too: the demo opens its shifts once.
  await payForVisits(records, tx)
  return { real, visits, lines }
}

/** Orders with their wished tests. @param real planned ones with a visit, in the order of `visits` */
export async function demoHeads(
  { records, tx, idFilial, idPartner, plan, iso, keeper }: Making,
  real: readonly Planned[],
  visits: readonly Ids[],
): Promise<Ids[]> {
  const system = records.asSystem
  const numbers = await tx.query<{ number: string }>(
    sql`select 'Л-' || lpad(nextval('laboratory_order_number')::text, 6, '0') as number from generate_series(1, ${plan.length}::int)`,
  )
  const orders = await system.createMany(
    LabOrder,
    plan.map((one, i): Create<typeof LabOrder> & Record<string, unknown> => {
      const { n, at, customer, status, doctor, cito } = one
      const visit = real.indexOf(one)
      const isDone = status === 'done' || status === 'issued'
      const due = at + (one.sold.some(({ idLaboratory }) => idLaboratory === idPartner) ? 3 * DAY : 9 * HOUR)
      return {
        number: numbers[i]?.number ?? null,
        idCustomer: customer.id,
        idFilial,
        idAppointment: visit < 0 ? null : (visits[visit]?.id ?? null),
        idDoctor: doctor.id,
        urgency: cito ? 'cito' : 'routine',
        status,
        fasting: chance(n + 21) < 0.7,
        placedAt: status === 'draft' ? null : iso(at),
        takenAt: given(status) ? iso(at + 0.3 * HOUR) : null,
        sentAt: status === 'sent' ? iso(at + HOUR) : null,
        doneAt: isDone ? iso(at + doneAfter(one, idPartner)) : null,
        issuedAt: status === 'issued' ? iso(at + doneAfter(one, idPartner) + 2 * HOUR) : null,
        dueAt: status === 'draft' ? null : new Date(due).toISOString(),
        cancelReason: status === 'cancelled' ? 'patient' : null,
        idAuthor: keeper.id,
        dateCreate: iso(at),
      }
    }),
    pastHooks,
  )
  await tx.query(sql`insert into laboratory_order_wishes ("idOrder", "idTest", "at")
    select w.o, w.t, w.at from jsonb_to_recordset(${JSON.stringify(
      plan.flatMap(({ sold }, i) => sold.map(({ id }, at) => ({ o: orders[i]?.id, t: id, at }))),
    )}::jsonb) as w(o bigint, t bigint, at integer) on conflict do nothing`)
  return orders
}

interface Wanted {
  testById: ReadonlyMap<number, Test>
  kinds: readonly { id: number; usable: number; order: number | null }[]
  lines: readonly Ids[]
  orders: readonly Ids[]
}

/** Tubes of the orders, and the items that they hold. */
export async function demoSamples(making: Making, { testById, kinds, lines, orders }: Wanted) {
  const { records, tx, idFilial, idPartner, plan, iso, nurse } = making
  const system = records.asSystem
  const [box] = await system.createMany(
    LabShipment,
    [{ idLaboratory: idPartner, idFilial, tempMode: 'cold', idAuthor: nurse.id } as Create<typeof LabShipment>],
    pastHooks,
  )
  await tx.query(
    sql`update laboratory_shipments set "number" = 'К-' || lpad(nextval('laboratory_shipment_number')::text, 5, '0')`,
  )
  let line = 0
  const samples: (Create<typeof LabSample> & Record<string, unknown>)[] = []
  let archived = 0
  const items: Item[] = []
  for (const [i, one] of plan.entries()) {
    if (one.status === 'draft') continue
    const wanted = one.sold.flatMap((test): { test: Test; idPanel: number | null; idLine: number | null }[] => {
      const idLine = lines[line++]?.id ?? null
      return test.isPanel
        ? test.parts.map((id) => ({ test: testById.get(id) as Test, idPanel: test.id, idLine }))
        : [{ test, idPanel: null, idLine }]
    })
    const unique = [...new Map(wanted.map((each) => [each.test.id, each])).values()]
    const tubes = tubesOf(
      unique.map(({ test: { id, idLaboratory, biomaterial, idContainer, tempMode, volume } }) => ({
        id,
        idLaboratory,
        biomaterial,
        idContainer,
        tempMode,
        volume,
      })),
      new Map(kinds.map(({ id, usable, order }) => [id, { usable, order }])),
    )
    for (const tube of tubes) {
      const isPartner = tube.idLaboratory === idPartner
      const rejected = one.status === 'rejected' || (one.status === 'issued' && chance(one.n + 41) < 0.03)
      const status = sampleStatus(one.status, isPartner)
      for (const id of tube.lines)
        items.push({
          ...(unique.find(({ test }) => test.id === id) as (typeof unique)[number]),
          order: i,
          sample: samples.length,
          plan: one,
        })
      samples.push({
        idOrder: orders[i]?.id as number,
        barcode: '',
        idLaboratory: tube.idLaboratory as number,
        biomaterial: tube.biomaterial as Biomaterial,
        idContainer: tube.idContainer,
        tempMode: tube.tempMode as TempMode,
        volume: tube.volume,
        status,
        takenAt: given(one.status) ? iso(one.at + 0.3 * HOUR) : null,
        idTakenBy: given(one.status) ? nurse.id : null,
        ...(rejected && { rejectReason: (['hemolysis', 'clot', 'little', 'lipemia'] as const)[one.n % 4] ?? 'clot' }),
        ...(status === 'packed' && box && { idShipment: box.id }),
        ...(status === 'archived' && archivePlace(archived++)),
        dateCreate: iso(one.at),
      })
    }
  }
  const codes = await tx.query<{ code: string }>(
    sql`select nextval('laboratory_barcode')::text as code from generate_series(1, ${samples.length}::int)`,
  )
  for (const [i, sample] of samples.entries()) sample.barcode = codes[i]?.code as string
  const sampleRows = await system.createMany(LabSample, samples as Create<typeof LabSample>[], pastHooks)
  await demoSteps(making, samples, sampleRows)
  return { items, sampleRows }
}

function sampleStatus(status: OrderStatus, isPartner: boolean): SampleStatus {
  return status === 'placed' || status === 'cancelled'
    ? 'planned'
    : status === 'rejected'
      ? 'rejected'
      : status === 'taken'
        ? isPartner
          ? 'packed'
          : 'taken'
        : status === 'sent'
          ? isPartner
            ? 'shipped'
            : 'inWork'
          : status === 'inWork' || status === 'partial'
            ? 'inWork'
            : 'archived'
}

async function demoSteps(
  { records, iso, nurse, worker }: Making,
  samples: readonly Record<string, unknown>[],
  sampleRows: readonly Ids[],
): Promise<void> {
  await records.asSystem.createMany(
    LabSampleStep,
    samples.flatMap((sample, i) => {
      const idSample = sampleRows[i]?.id as number
      if (!sample.takenAt) return []
      const taken = Date.parse(sample.takenAt as string)
      const step = (status: SampleStatus, later: number, idAuthor: number, note: string | null = null) => ({
        idSample,
        status,
        note,
        idAuthor,
        dateCreate: iso(taken + later * HOUR),
      })
      return [
        step('taken', 0, nurse.id),
        ...(['inWork', 'archived'].includes(sample.status as string)
          ? [step('received', 0.4, worker.id), step('inWork', 0.7, worker.id)]
          : []),
        ...(sample.status === 'archived' ? [step('archived', 6, worker.id, `Штатив ${sample.rack}`)] : []),
        ...(sample.status === 'rejected' ? [step('rejected', 0.8, worker.id, 'Гемолиз')] : []),
        ...(sample.status === 'shipped' ? [step('packed', 0.5, nurse.id), step('shipped', 1, nurse.id)] : []),
      ]
    }) as Create<typeof LabSampleStep>[],
    pastHooks,
  )
}

export function itemStatus(one: Item, at: number, idPartner: number): ItemStatus {
  const isPartner = one.test.idLaboratory === idPartner
  switch (one.plan.status) {
    case 'placed':
      return 'planned'
    case 'cancelled':
      return 'cancelled'
    case 'rejected':
      return 'rejected'
    case 'taken':
      return 'taken'
    case 'sent':
      return isPartner ? 'sent' : 'inWork'
    case 'inWork':
      return 'inWork'
    case 'partial':
      return at % 2 ? 'inWork' : 'done'
    default:
      return 'done'
  }
}
