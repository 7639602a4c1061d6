/**
 * Printed documents of an order: estimate with preparation, the referral, the contract, the result; labels of tubes;
 * the act of transfer.
 */
import { allowed } from '@ordinator/model/access'
import { publishedView } from '@ordinator/model/areas/laboratory/access'
import { laboratoryCalls, MAX_LABELS } from '@ordinator/model/areas/laboratory/calls'
import { Laboratory } from '@ordinator/model/areas/laboratory/laboratory'
import { LabOrder } from '@ordinator/model/areas/laboratory/order'
import { LabShipment } from '@ordinator/model/areas/laboratory/sample'
import { biomaterials, caps, laboratoryKinds, temperatures, urgencies } from '@ordinator/model/areas/laboratory/words'
import { formatDate, formatDateTime } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { labItemCountsSql } from '#areas/counted/index.ts'
import { letterheadOf } from '#areas/filials/index.ts'
import { lineDueSql } from '#areas/money/index.ts'
import { barsOf } from '#platform/barcodes.ts'
import type { Queryable } from '#platform/db.ts'
import { sendPdf } from '#platform/disposition.ts'
import { HttpError } from '#platform/errors.ts'
import { drawing, pressOf } from '#platform/pdfPool.ts'
import type { AppContext } from '#records/context.ts'
import { journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import type { LabPaper, ResultLine } from './drawLab.ts'
import type { Label } from './drawLabels.ts'
import type { OrderRow } from './orders.ts'

const drawnPaper = drawing<typeof import('./drawLab.ts')>(new URL('./drawLab.ts', import.meta.url))
const drawnLabels = drawing<typeof import('./drawLabels.ts')>(new URL('./drawLabels.ts', import.meta.url))

const names = { order: 'Заказ анализов', referral: 'Направление', contract: 'Договор', result: 'Результаты' } as const
type Kind = keyof typeof names

export const paper = operation(laboratoryCalls.paper, async ({ app, records, actor, params, query, reply }) => {
  const order = await records.row(LabOrder, params.id)
  await records.mustOpen(LabOrder, order.id)
  if (query.kind === 'result' && !allowed(actor, publishedView))
    throw new HttpError(403, 'Бланк результата печатают врачи, лаборатория и те, кто выдаёт результаты')
  const bytes = await orderPaper(app, order, query.kind, actor)
  await app.journal({
    ...journalActor(actor),
    action: 'print',
    entityType: LabOrder.path,
    idEntity: order.id,
    idCustomer: order.idCustomer,
    basis: names[query.kind],
  })
  return sendPdf(reply, `${names[query.kind]} ${order.number ?? order.id}.pdf`, bytes)
})

interface Facts {
  fio: string
  birthday: string | null
  sex: string | null
  phone: string | null
  doctor: string | null
  filial: string | null
  address: string | null
  timeZone: string
}

const factsOf = async (db: Queryable, id: number): Promise<Facts> =>
  (await db.one<Facts>(sql`select coalesce(nullif(concat_ws(' ', c."surname", c."name", c."middleName"), ''), 'Без имени') as fio,
      to_char(c."birthday", 'DD.MM.YYYY') as birthday, case c."gender" when 'male' then 'мужской' when 'female' then 'женский' end as sex,
      c."phone", nullif(concat_ws(' ', u."surname", u."name", u."middleName"), '') as doctor, f."nameFilial" as filial,
      coalesce(f."filialAddressFact", f."filialAddress") as address, coalesce(nullif(f."timeZone", ''), 'Europe/Moscow') as "timeZone"
    from laboratory_orders o join customers c on c."id" = o."idCustomer" join filials f on f."id" = o."idFilial"
      left join users u on u."id" = o."idDoctor" where o."id" = ${id}`)) as Facts

/** @param who the printing user @throws HttpError 409 if a result is requested and none is published */
export async function orderPaper(
  app: AppContext,
  order: OrderRow,
  kind: Kind,
  who: { id: number | string },
): Promise<Uint8Array> {
  const db = app.db
  const facts = await factsOf(db, order.id)
  const head = await letterheadOf(db)
  const branch = [facts.filial, facts.address].filter(Boolean).join(', ')
  const clock = (moment: string | null) => (moment === null ? null : formatDateTime(moment, facts.timeZone))
  const sold = await db.query<{
    name: string
    price: string
    preparation: string | null
    due: string | null
    laboratory: string
  }>(sql`
    select coalesce(p."name", t."name") as name, max(${lineDueSql(raw('l'))})::text as price, max(coalesce(p."preparation", t."preparation")) as preparation,
      max(i."dueAt") as due, string_agg(distinct b."name", ', ') as laboratory
    from laboratory_order_items i join laboratory_catalog t on t."id" = i."idTest" left join laboratory_catalog p on p."id" = i."idPanel"
      join laboratory_list b on b."id" = i."idLaboratory" left join coupon_services l on l."id" = i."idCouponService"
    where i."idOrder" = ${order.id} and ${labItemCountsSql()} group by 1 order by min(i."id")`)
  const tubes = await db.query<{
    barcode: string
    container: string | null
    biomaterial: keyof typeof biomaterials
    tempMode: keyof typeof temperatures
    tests: string
  }>(sql`
    select s."barcode", k."name" as container, s."biomaterial", s."tempMode", string_agg(t."name", ', ' order by i."id") as tests
    from laboratory_samples s join laboratory_order_items i on i."idSample" = coalesce(s."idFirst", s."id") and ${labItemCountsSql()}
      join laboratory_catalog t on t."id" = i."idTest" left join laboratory_containers k on k."id" = s."idContainer"
    where s."idOrder" = ${order.id} and not s."deleted" and s."status" <> 'rejected' group by s."id", k."id" order by s."id"`)
  const results = kind === 'result' ? await resultLines(db, order.id) : []
  if (kind === 'result' && results.length === 0)
    throw new HttpError(409, 'Подтверждённых результатов ещё нет', { code: 'empty' })
  const license = await db.one<{ license: string | null }>(sql`select string_agg(distinct b."license", '; ') as license
    from laboratory_order_items i join laboratory_list b on b."id" = i."idLaboratory" where i."idOrder" = ${order.id} and ${labItemCountsSql()}`)
  const data: LabPaper = {
    kind,
    title: `${names[kind]} № ${order.number ?? order.id}`,
    date: formatDate(order.placedAt ?? order.dateCreate, facts.timeZone),
    head: branch ? { ...head, lines: [...head.lines, branch] } : head,
    facts: [
      ['Пациент', [facts.fio, facts.birthday && `${facts.birthday} г. р.`, facts.sex].filter(Boolean).join(', ')],
      ['Назначил', facts.doctor ?? ''],
      ['Диагноз', order.diagnosis ?? ''],
      ['Срочность', order.urgency === 'cito' ? urgencies.cito : ''],
      ['Беременность', order.pregnancyWeeks ? `${order.pregnancyWeeks} нед.` : ''],
      ['Взятие', clock(order.takenAt) ?? ''],
      ['Готовность', kind === 'result' ? (clock(order.doneAt) ?? 'частично') : (clock(order.dueAt) ?? '')],
      ['Лицензия', kind === 'result' ? (license?.license ?? '') : ''],
    ],
    sold: sold.map((one) => ({ ...one, due: one.due ? formatDate(one.due, facts.timeZone) : '' })),
    tubes: tubes.map(({ barcode, container, biomaterial, tempMode, tests }) => ({
      barcode,
      container: container ?? '',
      material: biomaterials[biomaterial],
      temp: temperatures[tempMode],
      tests,
    })),
    results,
    patient: facts.fio,
    doctor: facts.doctor ?? '',
    organization: head.name,
  }
  return pressOf(app).run(drawnPaper, data, who)
}

/** Published values with their approver, for a document and a mail. */
async function resultLines(db: Queryable, idOrder: number): Promise<ResultLine[]> {
  return db.query<ResultLine>(sql`
    select coalesce(p."name" || ': ', '') || t."name" as test, t."method", a."name",
      case when r."kind" = 'none' then 'нет результата: ' || r."value" else r."value" end as value, r."unit", r."normText" as norm, r."flag",
      case when r."idFormer" is not null and r."status" = 'corrected' then coalesce(f."value", '') end as former, r."reason", r."comment", d."name" as device,
      nullif(concat_ws(' ', u."surname", u."name", u."middleName"), '') as doctor, b."kind" = 'partner' as "isPartner", b."name" as laboratory
    from laboratory_results r join laboratory_order_items i on i."id" = r."idItem" join laboratory_catalog t on t."id" = i."idTest"
      join laboratory_list b on b."id" = i."idLaboratory" left join laboratory_catalog p on p."id" = i."idPanel"
      join laboratory_analytes a on a."id" = r."idAnalyte"
      left join laboratory_components k on k."idTest" = t."id" and k."idAnalyte" = a."id" and not k."deleted"
      left join laboratory_results f on f."id" = r."idFormer" left join laboratory_devices d on d."id" = r."idDevice"
      left join users u on u."id" = r."idMedical"
    where i."idOrder" = ${idOrder} and not i."deleted" and r."isMain" and r."status" in ('medical', 'corrected')
    order by i."id", k."order", r."id"`)
}

async function labelsOf(records: Records, db: Queryable, id: number): Promise<Omit<Label, 'bars' | 'width'>[]> {
  const order = await records.row(LabOrder, id)
  const facts = await factsOf(db, id)
  const tubes = await db.query<{
    barcode: string
    container: string | null
    cap: keyof typeof caps | null
    biomaterial: keyof typeof biomaterials
    tests: string
  }>(sql`
    select s."barcode", k."name" as container, k."cap", s."biomaterial", string_agg(coalesce(t."code", t."name"), ', ' order by i."id") as tests
    from laboratory_samples s left join laboratory_order_items i on i."idSample" = coalesce(s."idFirst", s."id") and ${labItemCountsSql()}
      left join laboratory_catalog t on t."id" = i."idTest" left join laboratory_containers k on k."id" = s."idContainer"
    where s."idOrder" = ${id} and not s."deleted" and s."status" not in ('rejected', 'disposed')
    group by s."id", k."id" order by k."drawOrder" nulls last, s."id" limit ${MAX_LABELS}`)
  if (tubes.length === 0) throw new HttpError(409, 'У заказа нет пробирок: сначала оформите его', { code: 'empty' })
  return tubes.map(({ barcode, container, cap, biomaterial, tests }) => ({
    barcode,
    patient: facts.fio,
    birthday: facts.birthday ?? '',
    container: [cap && caps[cap], container ?? biomaterials[biomaterial]].filter(Boolean).join(', '),
    tests: tests ?? '',
    date: formatDate(order.placedAt ?? order.dateCreate, facts.timeZone),
    cito: order.urgency === 'cito',
  }))
}

export const labels = operation(laboratoryCalls.labels, async ({ app, records, actor, params, reply }) => {
  const found = await labelsOf(records, app.db, params.id)
  await app.journal({
    ...journalActor(actor),
    action: 'print',
    entityType: LabOrder.path,
    idEntity: params.id,
    basis: 'Этикетки пробирок',
  })
  const drawn: Label[] = []
  for (const label of found) {
    const { cells = [], width = 1 } = (await barsOf('code128', label.barcode)) ?? {}
    drawn.push({ ...label, bars: cells, width })
  }
  return sendPdf(reply, `Этикетки ${params.id}.pdf`, await pressOf(app).run(drawnLabels, drawn, actor))
})

/** Dots of a label of 58 × 40 mm at 203 dpi. */
const ZPL = { width: 464, height: 320 } as const
/** A caret and a tilde start ZPL commands, an underscore an escape of `^FH`. */
const zplText = (text: string): string =>
  [...text]
    .map((char) =>
      /[\^~_\\]/.test(char) || char < ' ' ? `_${(char.codePointAt(0) as number).toString(16).padStart(2, '0')}` : char,
    )
    .join('')

/** One label: name, birthday, bar code, tube, tests, date; UTF-8 (`^CI28`). */
export const zplOf = ({
  barcode,
  patient,
  birthday,
  container,
  tests,
  date,
  cito,
}: Omit<Label, 'bars' | 'width'>): string =>
  [
    '^XA^CI28',
    `^PW${ZPL.width}^LL${ZPL.height}`,
    `^FO16,14^A0N,28,28^FB${ZPL.width - 32},1^FH^FD${zplText(patient)}^FS`,
    `^FO16,46^A0N,22,22^FH^FD${zplText([birthday, date, cito ? 'CITO' : ''].filter(Boolean).join('  '))}^FS`,
    `^FO16,76^BY2^BCN,110,Y,N,N^FD${zplText(barcode)}^FS`,
    `^FO16,224^A0N,22,22^FB${ZPL.width - 32},1^FH^FD${zplText(container)}^FS`,
    `^FO16,252^A0N,20,20^FB${ZPL.width - 32},2^FH^FD${zplText(tests)}^FS`,
    '^XZ',
  ].join('\n')

export const zpl = operation(laboratoryCalls.zpl, async ({ app, records, params }) => ({
  zpl: (await labelsOf(records, app.db, params.id)).map(zplOf).join('\n'),
}))

export const act = operation(laboratoryCalls.act, async ({ app, records, actor, params, reply }) => {
  const box = await records.row(LabShipment, params.id)
  const laboratory = await records.asSystem.row(Laboratory, box.idLaboratory)
  const facts = (await app.db.one<{
    filial: string
    address: string | null
    timeZone: string
    author: string | null
  }>(sql`
    select f."nameFilial" as filial, coalesce(f."filialAddressFact", f."filialAddress") as address,
      coalesce(nullif(f."timeZone", ''), 'Europe/Moscow') as "timeZone",
      (select nullif(concat_ws(' ', u."surname", u."name", u."middleName"), '') from users u where u."id" = ${box.idAuthor}) as author
    from filials f where f."id" = ${box.idFilial}`)) as {
    filial: string
    address: string | null
    timeZone: string
    author: string | null
  }
  const tubes = await app.db.query<{
    barcode: string
    container: string | null
    biomaterial: keyof typeof biomaterials
    tests: string
    number: string
    taken: string | null
  }>(sql`
    select s."barcode", k."name" as container, s."biomaterial", o."number", s."takenAt" as taken, coalesce(string_agg(t."name", ', ' order by i."id"), '') as tests
    from laboratory_samples s join laboratory_orders o on o."id" = s."idOrder" left join laboratory_containers k on k."id" = s."idContainer"
      left join laboratory_order_items i on i."idSample" = coalesce(s."idFirst", s."id") and ${labItemCountsSql()} left join laboratory_catalog t on t."id" = i."idTest"
    where s."idShipment" = ${box.id} and not s."deleted" group by s."id", o."id", k."id" order by s."id" limit 500`)
  const head = await letterheadOf(app.db)
  const data: LabPaper = {
    kind: 'act',
    title: `Акт передачи биоматериала № ${box.number}`,
    date: formatDate(box.shippedAt ?? box.dateCreate, facts.timeZone),
    head,
    facts: [
      ['Откуда', [facts.filial, facts.address].filter(Boolean).join(', ')],
      ['Куда', `${laboratory.name} (${laboratoryKinds[laboratory.kind].toLowerCase()})`],
      ['Договор', laboratory.contractNo ?? ''],
      ['Режим', temperatures[box.tempMode]],
      ['Температура', box.temperature === null ? '' : `${String(box.temperature).replace('.', ',')} °C`],
      ['Отправлен', box.shippedAt ? formatDateTime(box.shippedAt, facts.timeZone) : 'ещё не отправлен'],
      ['Проб', String(tubes.length)],
    ],
    sold: [],
    tubes: tubes.map(({ barcode, container, biomaterial, tests, number }) => ({
      barcode,
      container: container ?? '',
      material: biomaterials[biomaterial],
      temp: number,
      tests,
    })),
    results: [],
    patient: box.courier ?? '',
    doctor: facts.author ?? '',
    organization: head.name,
  }
  return sendPdf(reply, `Акт ${box.number}.pdf`, await pressOf(app).run(drawnPaper, data, actor))
})
