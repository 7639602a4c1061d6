/** Three months of orders of the demo laboratory, in every state; values by the norms of their patients. */

import { derive } from '@ordinator/model/areas/laboratory/derived'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { tubesOf } from '@ordinator/model/areas/laboratory/preanalytics'
import { LabResult } from '@ordinator/model/areas/laboratory/result'
import { LabSample, LabSampleStep, LabShipment } from '@ordinator/model/areas/laboratory/sample'
import type { ItemStatus, OrderStatus, ResultStatus, SampleStatus } from '@ordinator/model/areas/laboratory/states'
import {
  ageInDays,
  type Choice,
  flagOf,
  isCritical,
  type Norm,
  normFor,
  normText,
  withDecimals,
} from '@ordinator/model/areas/laboratory/values'
import type { Biomaterial, TempMode, ValueType } from '@ordinator/model/areas/laboratory/words'
import { Appointment, Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { payForVisits } from '#areas/money/index.ts'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

const pastHooks = { pastHooks: 'The demo clinic is laid out as a whole' }
const DAYS = 90
const PER_DAY = 4
const HOUR = 3_600_000
const DAY = 24 * HOUR

export interface DemoDevices {
  blood: number
  chemistry: number
}

interface Place {
  idOwn: number
  idPartner: number
  idFilial: number
  devices: DemoDevices
}

interface Test {
  id: number
  code: string
  isPanel: boolean
  idLaboratory: number
  idService: number
  price: number
  cost: number | null
  biomaterial: Biomaterial
  idContainer: number | null
  tempMode: TempMode
  volume: number
  termDays: number
  section: string
  analytes: number[]
  parts: number[]
}

interface Analyte {
  id: number
  code: string
  type: ValueType
  unit: string | null
  decimals: number
  choices: Choice[] | null
  formula: string | null
  section: string
  norms: Norm[]
}

/** A number between 0 and 1, stable for a seed. */
const chance = (seed: number): number => {
  const x = Math.sin(seed * 12.9898 + 78.233) * 43_758.5453
  return x - Math.floor(x)
}

/** States of the orders of the last days; earlier ones are done and issued. */
const fates: readonly OrderStatus[] = [
  'issued',
  'done',
  'partial',
  'inWork',
  'inWork',
  'taken',
  'sent',
  'placed',
  'draft',
  'rejected',
  'cancelled',
]

const ROWS = 'ABCDEFGH'
const ROW_PLACES = 12

/** A place of its own for each archived tube: racks of 8 rows with 12 places each. */
const archivePlace = (n: number) => ({
  rack: `Ш-${1 + Math.floor(n / (ROWS.length * ROW_PLACES))}`,
  place: `${ROWS[Math.floor(n / ROW_PLACES) % ROWS.length]}${1 + (n % ROW_PLACES)}`,
})

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
  const analytes =
    await tx.query<Analyte>(sql`select a."id", a."code", a."type", a."unit", coalesce(a."decimals", 2) as decimals, a."choices",
      a."formula", a."section", coalesce((select jsonb_agg(jsonb_build_object('sex', n."sex", 'ageFrom', n."ageFrom", 'ageTo', n."ageTo",
        'trimester', n."trimester", 'cyclePhase', n."cyclePhase", 'low', n."low", 'high', n."high", 'criticalLow', n."criticalLow",
        'criticalHigh', n."criticalHigh", 'text', n."text") order by n."id") from laboratory_norms n where n."idAnalyte" = a."id"), '[]') as norms
    from laboratory_analytes a`)
  const kinds = await tx.query<{ id: number; usable: number; order: number | null }>(
    sql`select "id", "usableVolume"::float8 as usable, "drawOrder" as "order" from laboratory_containers`,
  )
  const customers = await tx.query<{ id: number; birthday: string | null; gender: 'male' | 'female' | 'none' | null }>(
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
  const testOf = new Map(tests.map((one) => [one.code, one]))
  const testById = new Map(tests.map((one) => [one.id, one]))
  const analyteById = new Map(analytes.map((one) => [one.id, one]))
  const singles = ['OAK', 'OAM', 'GLU', 'CRP', 'TSH', 'VITD', 'HBA1C', 'FERR', 'B12', 'PSA', 'ESR']
  const partners = tests.filter(({ idLaboratory, isPanel }) => idLaboratory === idPartner && !isPanel)
  const panels = tests.filter(({ isPanel }) => isPanel)

  const total = DAYS * PER_DAY
  const now = Date.now()
  const plan = Array.from({ length: total }, (_, n) => {
    const back = DAYS - 1 - Math.floor(n / PER_DAY)
    const at = now - back * DAY - (2 + (n % PER_DAY)) * HOUR * 0.9
    const customer = customers[Math.floor(chance(n + 5) * customers.length)] as (typeof customers)[number]
    const luck = chance(n + 1)
    const status: OrderStatus =
      back > 3
        ? luck < 0.05
          ? 'cancelled'
          : luck < 0.12
            ? 'done'
            : 'issued'
        : (fates[n % fates.length] as OrderStatus)
    const sold = [
      ...(chance(n + 2) < 0.6 ? [panels[Math.floor(chance(n + 3) * panels.length)] as Test] : []),
      ...singles.filter((_code, at2) => chance(n * 31 + at2) < 0.16).map((code) => testOf.get(code) as Test),
      ...(chance(n + 4) < 0.25 || status === 'sent'
        ? [partners[Math.floor(chance(n + 6) * partners.length)] as Test]
        : []),
    ]
    if (sold.length === 0) sold.push(testOf.get('OAK') as Test)
    // A test within a panel is not sold separately.
    const within = new Set(sold.flatMap(({ parts }) => parts))
    const doctor = doctors[n % doctors.length] as { id: number }
    return {
      n,
      at,
      customer,
      status,
      sold: sold.filter(({ id }) => !within.has(id)),
      doctor,
      cito: chance(n + 9) < 0.06,
    }
  })
  const iso = (moment: number) => new Date(Math.min(moment, now)).toISOString()

  // Visits without a doctor's time, as orders at the desk create them.
  const real = plan.filter(({ status }) => status !== 'draft')
  const wallOf = (at: number) => new Date(at + 3 * HOUR).toISOString()
  const given = (status: OrderStatus) => !['draft', 'placed', 'cancelled'].includes(status)
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
    sql`select 'Л-' || lpad(nextval('laboratory_order_number')::text, 6, '0') as number from generate_series(1, ${total}::int)`,
  )
  const doneAfter = ({ n, sold }: (typeof plan)[number]) =>
    (sold.some(({ idLaboratory }) => idLaboratory === idPartner) ? 50 : 5) *
    HOUR *
    (0.6 + chance(n + 11) * (chance(n + 12) < 0.08 ? 2.4 : 0.7))
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
        doneAt: isDone ? iso(at + doneAfter(one)) : null,
        issuedAt: status === 'issued' ? iso(at + doneAfter(one) + 2 * HOUR) : null,
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
    plan: (typeof plan)[number]
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
        doneAt: status === 'done' ? iso(one.plan.at + doneAfter(one.plan)) : null,
        cost: one.test.cost,
      }
    }),
    pastHooks,
  )

  const results: (Create<typeof LabResult> & Record<string, unknown>)[] = []
  const seen = new Map<string, string>()
  let alarmed = false
  for (const [at, one] of items.entries()) {
    const status = itemStatus(one, at)
    if (status !== 'done' && status !== 'inWork') continue
    // Of orders in work a part was measured already.
    if (status === 'inWork' && chance(at + 61) < 0.4) continue
    const taken = one.plan.at + 0.3 * HOUR
    const { customer } = one.plan
    const patient = {
      sex: customer.gender,
      ageDays: ageInDays(customer.birthday, iso(taken).slice(0, 10)),
      pregnancyWeeks: null,
      cyclePhase: null,
    }
    for (const id of one.test.analytes) {
      const analyte = analyteById.get(id) as Analyte
      const norm = normFor(analyte.norms, patient)
      const key = `${one.order}:`
      // One value of today is critical, without a call yet.
      const alarming = !alarmed && status === 'inWork' && !analyte.formula && norm?.criticalHigh
      if (alarming) alarmed = true
      const value = alarming
        ? withDecimals(alarming * 1.07, analyte.decimals)
        : analyte.formula
          ? derive(analyte.formula, analyte.decimals, (code) => seen.get(key + code))
          : demoValue(analyte, norm, at * 131 + id)
      if (value === undefined) continue
      seen.set(key + analyte.code.toLowerCase(), value)
      const flag = flagOf(analyte.type, value, norm, analyte.choices ?? [])
      const wanted: ResultStatus = status === 'done' ? 'medical' : chance(at + 71) < 0.5 ? 'raw' : 'technical'
      const called = isCritical(flag) && !alarming
      const doneAt = iso(one.plan.at + doneAfter(one.plan))
      const idDevice =
        analyte.section === 'hematology' && analyte.code !== 'ESR'
          ? devices.blood
          : one.test.section === 'biochemistry' && !analyte.formula
            ? devices.chemistry
            : null
      results.push({
        idItem: itemRows[at]?.id as number,
        idAnalyte: id,
        idCustomer: customer.id,
        takenAt: iso(taken),
        kind: Number.isFinite(Number(value)) ? 'number' : 'word',
        source: analyte.formula ? 'formula' : idDevice !== null && one.test.idLaboratory === idOwn ? 'device' : 'hand',
        idSample: sampleRows[one.sample]?.id ?? null,
        judgedFor: patient,
        callDue: isCritical(flag) && !called,
        value,
        valueNum: Number.isFinite(Number(value)) ? Number(value) : null,
        unit: analyte.unit,
        normText:
          normText(norm) ??
          (analyte.type === 'enum' ? (analyte.choices?.find(({ normal }) => normal)?.value ?? null) : null),
        flag,
        status: wanted,
        idDevice: one.test.idLaboratory === idOwn ? idDevice : null,
        ...(wanted !== 'raw' && { idTechnical: worker.id, technicalAt: doneAt }),
        ...(wanted === 'medical' && { idMedical: worker.id, medicalAt: doneAt }),
        ...(called && { calledTo: 'Лечащий врач', calledAt: doneAt, readBack: true, idCaller: worker.id }),
        idAuthor: worker.id,
        dateCreate: status === 'done' ? doneAt : iso(one.plan.at + 2 * HOUR),
      })
    }
  }
  for (let from = 0; from < results.length; from += 2_000)
    await system.createMany(LabResult, results.slice(from, from + 2_000) as Create<typeof LabResult>[], pastHooks)
  await retakes(records, tx)
  // A line without all of its values stays in work, whatever the planned state.
  await tx.query(sql`update laboratory_results r set "delta" = round(100 * (r."valueNum" - p."valueNum") / abs(p."valueNum"), 1)
    from laboratory_results p where p."id" = (select x."id" from laboratory_results x where x."idCustomer" = r."idCustomer" and x."idAnalyte" = r."idAnalyte"
      and x."takenAt" < r."takenAt" and x."status" = 'medical' order by x."takenAt" desc limit 1) and p."valueNum" <> 0 and r."valueNum" is not null
      and abs(r."valueNum" / p."valueNum") < 100`)
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

/** Mostly within the norm, sometimes outside, rarely far outside. */
function demoValue({ type, choices, decimals, norms }: Analyte, norm: Norm | undefined, seed: number): string {
  const luck = chance(seed)
  if (type === 'enum') {
    const list = choices ?? []
    const wanted = list.filter(({ normal }) => normal === luck < 0.93)
    return (wanted[Math.floor(chance(seed + 1) * wanted.length)] ?? list[0])?.value ?? 'не обнаружено'
  }
  if (type === 'text') return luck < 0.85 ? (norm?.text ?? 'без патологии') : 'см. заключение'
  const { low, high } = norm ?? norms[0] ?? { low: 0, high: 1 }
  const from = low ?? (high === null ? 1 : high * 0.25)
  const to = high ?? from * 1.6
  const spread = to - from
  const at =
    luck < 0.82
      ? 0.15 + chance(seed + 2) * 0.7
      : luck < 0.99
        ? chance(seed + 3) < 0.5
          ? -0.12 - chance(seed + 4) * 0.15
          : 1.08 + chance(seed + 4) * 0.3
        : 4.5
  return withDecimals(Math.max(from * 0.3, from + at * spread), decimals)
}
