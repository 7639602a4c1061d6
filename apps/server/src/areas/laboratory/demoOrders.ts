/** Three months of orders of the demo laboratory, in every state: visits, tubes, lines; values are `demoResults.ts`. */
import { LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabSample } from '@ordinator/model/areas/laboratory/sample'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { pastHooks } from './demoCatalogue.ts'
import type { DemoDevices } from './demoDevices.ts'
import { DAY, type DemoPatient, doneAfter, HOUR, planOrders, type Test } from './demoPlan.ts'
import { demoResults } from './demoResults.ts'
import { demoHeads, demoSamples, demoVisits, itemStatus, type Making } from './demoTubes.ts'

async function readBase(tx: Tx) {
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
  return { tests, kinds, customers, doctors, nurse, worker, keeper }
}

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
  const { tests, kinds, customers, doctors, nurse, worker, keeper } = await readBase(tx)
  if (!customers.length || !doctors.length || !nurse || !worker || !keeper) return
  const testById = new Map(tests.map((one) => [one.id, one]))
  const now = Date.now()
  const plan = planOrders(now, { tests, customers, doctors, idPartner })
  const iso = (moment: number) => new Date(Math.min(moment, now)).toISOString()

  const making: Making = { records, tx, idFilial, idPartner, plan, iso, nurse, worker, keeper }
  const { real, visits, lines } = await demoVisits(making)
  const orders = await demoHeads(making, real, visits)
  const { items, sampleRows } = await demoSamples(making, { testById, kinds, lines, orders })
  const itemRows = await records.asSystem.createMany(
    LabOrderItem,
    items.map((one, at) => {
      const status = itemStatus(one, at, idPartner)
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
    ...{
      id: itemRows[at]?.id as number,
      idSample: sampleRows[one.sample]?.id ?? null,
      status: itemStatus(one, at, idPartner),
    },
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
