/** Published results of a laboratory order as the data of a document template. */
import type { Flag } from '@ordinator/model/areas/laboratory/values'
import { type Biomaterial, biomaterials } from '@ordinator/model/areas/laboratory/words'
import sql from 'sql-template-tag'
import { labItemCountsSql } from '#areas/counted/index.ts'
import { inZone, type SemdSource, type SourceData } from '#areas/egisz/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'

/** НСИ: materials of ФСЛИ. */
const SPECIMENS = '1.2.643.5.1.13.13.99.2.1019'
/** Codes of its version 2.4, used until the clinic has loaded the dictionary; materials not listed have no code. */
const specimenCodes: Readonly<Partial<Record<Biomaterial, string>>> = {
  venous: '108',
  capillary: '133',
  serum: '208',
  plasma: '177',
  urine: '145',
  stool: '127',
  saliva: '195',
  sputum: '143',
  semen: '257',
}
/** Of the dictionary of interpretations, 1.2.643.5.1.13.13.99.2.257. */
const interpretations: Record<Flag, { code: string; name: string }> = {
  N: { code: 'N', name: 'В пределах референтного диапазона' },
  L: { code: 'L', name: 'Ниже референтного диапазона' },
  H: { code: 'H', name: 'Выше референтного диапазона' },
  LL: { code: 'LL', name: 'Критически ниже референтного диапазона' },
  HH: { code: 'HH', name: 'Критически выше референтного диапазона' },
  A: { code: 'A', name: 'Отклонение от референтного диапазона' },
}

/** Method of a value without a known analyser. */
const BY_HAND = { code: 'manual', name: 'Ручная методика' }

interface OrderRow {
  number: string
  idCustomer: number
  idFilial: number
  idDoctor: number | null
  takenAt: string | null
  doneAt: string | null
  timeZone: string | null
}

interface ResultRow {
  test: string
  panel: string | null
  medicalCode: string | null
  fsli: string | null
  name: string
  shortName: string | null
  value: string
  number: string | null
  unit: string | null
  unitCode: string | null
  normText: string | null
  flag: Flag | null
  date: string
  idMedical: number | null
  barcode: string | null
  biomaterial: Biomaterial | null
  taken: string | null
  received: string | null
  volume: string | null
  device: string | null
  deviceName: string | null
}

export const laboratorySource: SemdSource = {
  kind: 'laboratory',
  async read(db, id) {
    const order = await db.one<OrderRow>(sql`select coalesce(nullif(o."number", ''), o."id"::text) as number,
        o."idCustomer"::int as "idCustomer", o."idFilial"::int as "idFilial", o."idDoctor"::int as "idDoctor",
        to_json(o."takenAt") #>> '{}' as "takenAt", to_json(o."doneAt") #>> '{}' as "doneAt", nullif(f."timeZone", '') as "timeZone"
      from laboratory_orders o join filials f on f."id" = o."idFilial"
      where o."id" = ${id} and not o."deleted" and o."status" in ('done', 'issued')`)
    if (!order) return undefined
    const results = await resultsOf(db, id)
    const last = results.at(-1)
    if (!last) return undefined
    const timeZone = order.timeZone ?? (await readCommonSettings(db)).timeZone
    const at = (moment: string | null) => (moment === null ? undefined : inZone(moment, timeZone))
    const codes = await specimenTerms(db)
    const moment = order.doneAt ?? last.date
    // The approver of the last value signs for all; without one, the ordering doctor.
    const idUser = results.findLast(({ idMedical }) => idMedical !== null)?.idMedical ?? order.idDoctor
    if (idUser === null) return undefined
    const devices = new Map(results.map((one) => [deviceOf(one).code, deviceOf(one)]))
    const tubes = new Map(results.flatMap((one) => (one.barcode ? [[one.barcode, one] as const] : [])))
    return {
      title: `Лабораторное исследование, заказ ${order.number}`,
      idCustomer: order.idCustomer,
      idUser,
      idFilial: order.idFilial,
      date: inZone(moment, timeZone),
      fields: {
        lab: {
          order: order.number,
          from: at(order.takenAt ?? last.taken),
          to: at(moment),
          specimens: [...tubes.values()].map((tube) => ({
            code: tube.biomaterial ? (codes.get(tube.biomaterial) ?? specimenCodes[tube.biomaterial]) : undefined,
            name: tube.biomaterial ? biomaterials[tube.biomaterial] : undefined,
            barcode: tube.barcode,
            taken: at(tube.taken),
            received: at(tube.received ?? tube.taken),
            amount: tube.volume ? String(Number(tube.volume)) : undefined,
            unit: { code: '17', name: 'мл' },
          })),
          devices: [...devices.values()],
          panels: panelsOf(results).map(({ name, lines }) => ({
            code: '',
            name,
            tests: lines.map((one) => testOf(one, at)),
          })),
          services: servicesOf(results).map((one) => ({ ...one, date: at(one.date) })),
        },
      },
    } satisfies SourceData
  },
  mend: {
    lab: { label: 'Данные заказа анализов', link: '/laboratory/orders/:id' },
    'lab.from': { label: 'Время взятия биоматериала', link: '/laboratory/orders/:id' },
    code: { label: 'Коды исследования: ФСЛИ показателя, 804н услуги, вид биоматериала', link: '/laboratory/analytes' },
    unit: { label: 'Единица показателя и её код НСИ 1358', link: '/laboratory/units' },
    barcode: { label: 'Проба исследования', link: '/laboratory/orders/:id' },
    taken: { label: 'Время взятия пробы', link: '/laboratory/orders/:id' },
    received: { label: 'Время приёма пробы', link: '/laboratory/orders/:id' },
  },
}

/** Approved main values of each line, in the order of the lines. */
const resultsOf = (db: Queryable, idOrder: number): Promise<ResultRow[]> =>
  db.query<ResultRow>(sql`
    select t."name" as test, p."name" as panel, coalesce(p."medicalCode", t."medicalCode") as "medicalCode",
      coalesce(nullif(a."fsli", ''), nullif(t."fsli", '')) as fsli, a."name", a."shortName", r."value", r."valueNum"::float8::text as number,
      coalesce(nullif(r."unit", ''), a."unit") as unit, u."nsiCode" as "unitCode", r."normText", r."flag",
      to_json(coalesce(r."medicalAt", r."dateCreate")) #>> '{}' as date, r."idMedical"::int as "idMedical",
      s."barcode", s."biomaterial", to_json(s."takenAt") #>> '{}' as taken, to_json(s."receivedAt") #>> '{}' as received,
      s."volume"::text as volume, d."id"::text as device, concat_ws(' ', d."name", nullif(nullif(d."model", ''), d."name"), nullif(d."serial", '')) as "deviceName"
    from laboratory_order_items i
    join laboratory_results r on r."idItem" = i."id" and r."isMain" and r."status" in ('medical', 'corrected') and r."kind" <> 'none'
    join laboratory_analytes a on a."id" = r."idAnalyte"
    join laboratory_catalog t on t."id" = i."idTest"
    left join laboratory_catalog p on p."id" = i."idPanel"
    left join laboratory_samples s on s."id" = i."idSample"
    left join laboratory_devices d on d."id" = coalesce(r."idDevice", i."idDevice")
    left join laboratory_components k on k."idTest" = t."id" and k."idAnalyte" = a."id" and not k."deleted"
    left join laboratory_units u on lower(u."name") = lower(coalesce(nullif(r."unit", ''), a."unit")) and not u."deleted"
    where i."idOrder" = ${idOrder} and ${labItemCountsSql()}
    order by i."id", k."order", r."id"`)

/** Codes of materials, by name in the clinic's loaded dictionary. */
async function specimenTerms(db: Queryable): Promise<Map<string, string>> {
  const names = Object.entries(biomaterials).map(([kind, name]) => ({ kind, name }))
  const found = await db.query<{ kind: string; code: string }>(sql`
    select a.kind, min(t."code") as code from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as a(kind text, name text)
    join egisz_dictionaries d on d."oid" = ${SPECIMENS} and d."version" is not null and not d."deleted"
    join egisz_terms t on t."idDictionary" = d."id" and t."version" = d."version" and lower(btrim(t."name")) = lower(a.name)
    group by a.kind`)
  return new Map(found.map(({ kind, code }) => [kind, code]))
}

const deviceOf = ({ device, deviceName }: ResultRow) =>
  device === null ? BY_HAND : { code: `device-${device}`, name: deviceName ?? 'Анализатор' }

/** Grouped by the ordered panel; a single test is under its own name. */
function panelsOf(results: readonly ResultRow[]): { name: string; lines: ResultRow[] }[] {
  const panels = new Map<string, ResultRow[]>()
  for (const one of results) {
    const name = one.panel ?? one.test
    const lines = panels.get(name)
    if (lines) lines.push(one)
    else panels.set(name, [one])
  }
  return [...panels].map(([name, lines]) => ({ name, lines }))
}

function servicesOf(results: readonly ResultRow[]): { code: string | null; name: string; date: string }[] {
  const services = new Map(
    results.map((one) => [
      one.panel ?? one.test,
      { code: one.medicalCode, name: one.panel ?? one.test, date: one.date },
    ]),
  )
  return [...services.values()]
}

function testOf(one: ResultRow, at: (moment: string | null) => string | undefined) {
  const norm = normOf(one.normText)
  return {
    code: one.fsli,
    fullName: one.name,
    name: one.shortName || one.name,
    value: one.value,
    // A number needs a unit; without one the value is text.
    ...(one.number !== null && one.unit && { number: one.number }),
    unit: one.unit ? { code: one.unitCode, name: one.unit } : undefined,
    date: at(one.date),
    // A value without a norm has no interpretation.
    interpretation: one.flag ? interpretations[one.flag] : undefined,
    barcode: one.barcode,
    device: deviceOf(one).code,
    ...(norm && { norm }),
  }
}

/** Parses the bounds of «120–150», «< 5», «> 3,5»; other texts stay text. */
export function normOf(text: string | null): { text: string; low?: string; high?: string } | undefined {
  if (!text) return undefined
  const plain = (number: string | undefined) => number?.replace(',', '.')
  const both = /^\s*(-?\d+(?:[.,]\d+)?)\s*[-–—]\s*(-?\d+(?:[.,]\d+)?)/.exec(text)
  if (both) return { text, low: plain(both[1]) as string, high: plain(both[2]) as string }
  const one = /^\s*([<≤>≥]|до|от|более|менее)\s*(-?\d+(?:[.,]\d+)?)/i.exec(text)
  if (!one) return { text }
  const bound = plain(one[2]) as string
  return /[<≤]|до|менее/i.test(one[1] as string) ? { text, high: bound } : { text, low: bound }
}
