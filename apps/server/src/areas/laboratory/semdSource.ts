/** A finished order as the template of «Протокол лабораторного исследования» reads it. */
import { type Flag, flags } from '@ordinator/model/areas/laboratory/values'
import type { Biomaterial } from '@ordinator/model/areas/laboratory/words'
import sql from 'sql-template-tag'
import { inZone, type SemdSource } from '../egisz/index.ts'

/** Codes of НСИ 1.2.643.5.1.13.13.99.2.1019 (materials of ФСЛИ, 2.4); of what is not one of them there is none. */
const specimens: Readonly<Partial<Record<Biomaterial, readonly [code: string, name: string]>>> = {
  venous: ['108', 'Кровь венозная'],
  capillary: ['133', 'Кровь капиллярная'],
  serum: ['208', 'Сыворотка крови'],
  plasma: ['177', 'Плазма крови'],
  urine: ['145', 'Моча'],
  stool: ['127', 'Кал'],
  saliva: ['195', 'Слюна'],
  sputum: ['143', 'Мокрота'],
  semen: ['257', 'Эякулят'],
  tissue: ['151', 'Ткань не уточненная'],
}
/** Of the dictionary of interpretations, 1.2.643.5.1.13.13.99.2.257. */
const interpretation = (flag: Flag | null) => ({
  code: flag ?? 'N',
  name: flag === null || flag === 'N' ? 'В пределах референтного диапазона' : flags[flag],
})

interface ValueRow {
  panel: string | null
  test: string
  nmu: string | null
  analyte: string
  fsli: string | null
  value: string
  number: number | null
  unit: string | null
  unitCode: string | null
  norm: string | null
  low: string | null
  high: string | null
  flag: Flag | null
  at: string
  barcode: string | null
  device: string | null
  idDoctor: number | null
}

export const laboratorySource: SemdSource = {
  kind: 'laboratory',
  async read(db, id) {
    const order = await db.one<{
      number: string
      idCustomer: number
      idFilial: number
      taken: string
      done: string
      timeZone: string
    }>(sql`
      select coalesce(o."number", o."id"::text) as number, o."idCustomer"::int as "idCustomer", o."idFilial"::int as "idFilial",
        coalesce(o."takenAt", o."dateCreate") as taken, o."doneAt" as done, coalesce(nullif(f."timeZone", ''), 'Europe/Moscow') as "timeZone"
      from laboratory_orders o join filials f on f."id" = o."idFilial"
      where o."id" = ${id} and not o."deleted" and o."status" in ('done', 'issued') and o."doneAt" is not null`)
    if (!order) return undefined
    const values = await db.query<ValueRow>(sql`
      select p."name" as panel, t."name" as test, coalesce(p."medicalCode", t."medicalCode") as nmu, a."name" as analyte, a."fsli",
        r."value", r."valueNum"::float8 as number, r."unit", n."nsiCode" as "unitCode", r."normText" as norm, r."flag",
        r."medicalAt" as at, s."barcode", d."id"::text as device, r."idMedical"::int as "idDoctor",
        (regexp_match(r."normText", '^([0-9]+(?:,[0-9]+)?)–'))[1] as low,
        (regexp_match(r."normText", '(?:–|^до )([0-9]+(?:,[0-9]+)?)$'))[1] as high
      from laboratory_results r join laboratory_order_items i on i."id" = r."idItem" and not i."deleted"
        join laboratory_catalog t on t."id" = i."idTest" left join laboratory_catalog p on p."id" = i."idPanel"
        join laboratory_analytes a on a."id" = r."idAnalyte" left join laboratory_samples s on s."id" = i."idSample"
        left join laboratory_devices d on d."id" = r."idDevice"
        left join laboratory_components k on k."idTest" = t."id" and k."idAnalyte" = a."id" and not k."deleted"
        left join laboratory_units n on n."name" = r."unit" and not n."deleted"
      where i."idOrder" = ${id} and r."isMain" and r."status" in ('medical', 'corrected') order by i."id", k."order", r."id"`)
    const doctor = values.findLast(({ idDoctor }) => idDoctor !== null)?.idDoctor
    if (values.length === 0 || !doctor) return undefined
    const tubes = await db.query<{
      barcode: string
      biomaterial: Biomaterial
      taken: string
      received: string
      volume: number | null
    }>(sql`
      select distinct s."id", s."barcode", s."biomaterial", coalesce(s."takenAt", ${order.taken}::timestamptz) as taken,
        coalesce(s."receivedAt", s."takenAt", ${order.taken}::timestamptz) as received, s."volume"::float8 as volume
      from laboratory_samples s join laboratory_order_items i on i."idSample" = s."id" and not i."deleted"
      where i."idOrder" = ${id} and i."status" = 'done' order by s."id"`)
    const devices = await db.query<{ code: string; name: string }>(sql`
      select d."id"::text as code, concat_ws(' ', d."name", nullif(d."model", d."name"), d."serial") as name from laboratory_devices d
      where d."id" = any (${[...new Set(values.flatMap(({ device }) => (device ? [Number(device)] : [])))]}::bigint[]) order by d."id"`)
    const clock = (moment: string) => inZone(new Date(moment).toISOString(), order.timeZone)
    const services = new Map(values.map(({ panel, test, nmu }) => [panel ?? test, nmu]))
    return {
      title: `Протокол лабораторного исследования, заказ ${order.number}`,
      idCustomer: order.idCustomer,
      idUser: doctor,
      idFilial: order.idFilial,
      date: clock(order.done),
      fields: {
        lab: {
          order: order.number,
          from: clock(order.taken),
          to: clock(order.done),
          specimens: tubes.map(({ barcode, biomaterial, taken, received, volume }) => ({
            code: specimens[biomaterial]?.[0],
            name: specimens[biomaterial]?.[1],
            barcode,
            taken: clock(taken),
            received: clock(received),
            amount: volume === null ? undefined : String(volume),
            unit: { code: '17', name: 'мл' },
          })),
          devices: devices.length ? devices : [{ code: 'hand', name: 'Ручной метод' }],
          panels: [...Map.groupBy(values, ({ panel, test }) => panel ?? test)].map(([name, of]) => ({
            code: '',
            name,
            tests: of.map((one) => ({
              code: one.fsli ?? undefined,
              fullName: one.analyte,
              name: one.analyte,
              value: one.value,
              number: one.number === null ? undefined : String(one.number),
              unit: { code: one.unitCode ?? undefined, name: one.unit ?? undefined },
              date: clock(one.at),
              interpretation: interpretation(one.flag),
              barcode: one.barcode ?? undefined,
              device: one.device ?? 'hand',
              ...(one.norm && {
                norm: {
                  text: [one.norm, one.unit].filter(Boolean).join(' '),
                  low: plain(one.low),
                  high: plain(one.high),
                },
              }),
            })),
          })),
          services: [...services].map(([name, code]) => ({ code: code ?? undefined, name, date: clock(order.done) })),
        },
      },
    }
  },
  mend: {
    'lab.specimens': { label: 'Биоматериал исследования: код справочника материалов', link: '/laboratory/catalog' },
    'lab.panels': { label: 'Код ФСЛИ и единица показателя', link: '/laboratory/analytes' },
    'lab.services': { label: 'Код 804н исследования', link: '/laboratory/catalog' },
    lab: { label: 'Заказ анализов', link: '/laboratory/orders/:id' },
  },
}

/** A bound as numbers of CDA are written. */
const plain = (bound: string | null): string | undefined => bound?.replace(',', '.')
