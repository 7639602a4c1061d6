/** Three months of orders of the demo laboratory, in every state: visits, tubes, lines; values are `demoResults.ts`. */
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { tubesOf } from '@ordinator/model/areas/laboratory/preanalytics'
import { LabSample, LabSampleStep, LabShipment } from '@ordinator/model/areas/laboratory/sample'
import type { ItemStatus, SampleStatus } from '@ordinator/model/areas/laboratory/states'
import type { Biomaterial, TempMode } from '@ordinator/model/areas/laboratory/words'
import { Appointment, Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { payForVisits } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { pastHooks } from './demoCatalogue.ts'
import type { DemoDevices } from './demoDevices.ts'
import {
  archivePlace,
  chance,
  DAY,
  type DemoPatient,
  doneAfter,
  given,
  HOUR,
  type Planned,
  planOrders,
  type Test,
} from './demoPlan.ts'
import { demoResults } from './demoResults.ts'

interface Place {
  idOwn: number
  idPartner: number
  idFilial: number
  devices: DemoDevices
}

export async function demoOrders(
  records: Records,
  tx: Tx,
  { idOwn, idPartner, idFilial, devices }: Place,
): Promise<void> {
  const system = records.asSystem
  const tests =
    await tx.query<Test>(sql`select t."id", t."code", t."isPanel", t."idLaboratory", t."idService", v."priceService"::float8 as price,
      t."cost"::float8 as cost, t."biomaterial", t."idContainer", t."tempMode", coalesce(t."minVolume", 0.5)::float8 as volume,
      coalesce(t."termDays", 1) as "termDays", t."section",
      coalesce(array_agg(c."idAnalyte" order by c."order") filter (where c."idAnalyte" is not null), '{}') as analytes,
      coalesce(array_agg(c."idPart" order by c."order") filter (where c."idPart" is not null), '{}') as parts
    from laboratory_catalog t join services v on v."id" = t."idService" left join laboratory_components c on c."idTest" = t."id"
    group by t."id", v."id" order by t."id"`)
  const kinds = await tx.query<{ id: number; usable: number; order: number | null }>(
    sql`select "id", "usableVolume"::float8 as usable, "drawOrder" as "order" from laboratory_containers`,
  )
  const customers = await tx.query<DemoPatient>(
    sql`select "id", to_char("birthday", 'YYYY-MM-DD') as birthday, "gender" from customers where not "deleted" and "secretLevel" = 'none'
      and "dateDeath" is null order by "id" limit 140`,
  )
  const doctors = await tx.query<{ id: number }>(
    sql`select "id" from users where "post" ilike '%врач%' and not "deleted" order by "id" limit 12`,
  )
  const [nurse] = await tx.query<{ id: number }>(
    sql`select "id" from users where "login" in ('nurse', 'laboratory', 'admin') order by "login" desc limit 1`,
  )
  const [worker] = await tx.query<{ id: number }>(
    sql`select "id" from users where "login" in ('laboratory', 'admin') order by "login" desc limit 1`,
  )
  const [keeper] = await tx.query<{ id: number }>(
    sql`select "id" from users where "login" in ('registrar', 'admin') order by "login" desc limit 1`,
  )
  if (!customers.length || !doctors.length || !nurse || !worker || !keeper) return
  const testById = new Map(tests.map((one) => [one.id, one]))
  const now = Date.now()
  const plan = planOrders(now, { tests, customers, doctors, idPartner })
  const iso = (moment: number) => new Date(Math.min(moment, now)).toISOString()

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
  const items: {
    test: Test
    idPanel: number | null
    idLine: number | null
    order: number
    sample: number
    plan: Planned
  }[] = []
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
      const status: SampleStatus =
        one.status === 'placed' || one.status === 'cancelled'
          ? 'planned'
          : one.status === 'rejected'
            ? 'rejected'
            : one.status === 'taken'
              ? isPartner
                ? 'packed'
                : 'taken'
              : one.status === 'sent'
                ? isPartner
                  ? 'shipped'
                  : 'inWork'
                : one.status === 'inWork' || one.status === 'partial'
                  ? 'inWork'
                  : 'archived'
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
  await system.createMany(
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
  const itemStatus = (one: (typeof items)[number], at: number): ItemStatus => {
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
  const itemRows = await system.createMany(
    LabOrderItem,
    items.map((one, at) => {
      const status = itemStatus(one, at)
      const isPartner = one.test.idLaboratory === idPartner
      return {
        idOrder: orders[one.order]?.id as number,
        idTest: one.test.id,
        idPanel: one.idPanel,
        idLaboratory: one.test.idLaboratory,
        idSample: sampleRows[one.sample]?.id ?? null,
        idCouponService: one.idLine,
        status,
        cancelReason: status === 'cancelled' ? 'Отказ пациента' : null,
        dueAt: new Date(one.plan.at + (isPartner ? 3 * DAY : 9 * HOUR)).toISOString(),
        doneAt: status === 'done' ? iso(one.plan.at + doneAfter(one.plan, idPartner)) : null,
        cost: one.test.cost,
      }
    }),
    pastHooks,
  )

  const measured = items.map((one, at) => ({
    ...{ id: itemRows[at]?.id as number, idSample: sampleRows[one.sample]?.id ?? null, status: itemStatus(one, at) },
    ...{ test: one.test, order: one.order, plan: one.plan },
  }))
  await demoResults(records, tx, measured, { idOwn, idPartner, idWorker: worker.id, devices, iso })
  await retakes(records, tx)
}

/** A second tube is pending for the patient of each refused one. */
async function retakes({ asSystem }: Records, tx: Tx): Promise<void> {
  const refused = await tx.query<Create<typeof LabSample> & { id: number }>(sql`
    select s."id", s."idOrder", s."idLaboratory", s."biomaterial", s."idContainer", s."tempMode", s."volume"::float8 as volume,
      nextval('laboratory_barcode')::text as barcode
    from laboratory_samples s join laboratory_orders o on o."id" = s."idOrder"
    where s."status" = 'rejected' and o."status" = 'rejected' order by s."id"`)
  const made = await asSystem.createMany(
    LabSample,
    refused.map(({ id, ...sample }) => ({ ...sample, idFormer: id })),
    pastHooks,
  )
  for (const [at, { id }] of refused.entries())
    await asSystem.updateWhere(
      LabOrderItem,
      ({ row }) => sql`${row}."idSample" = ${id}`,
      { idSample: made[at]?.id as number },
      pastHooks,
    )
}
