/** An offer on paper: A4, to be given to the patient. */
import { salesCalls } from '@ordinator/model/areas/sales/calls'
import { Offer } from '@ordinator/model/areas/sales/offer'
import { formatDate, formatMoney, formatNumber } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import sql from 'sql-template-tag'
import { disposition } from '../../platform/disposition.ts'
import { fact, fits, GREY, MARGIN, NORMAL, type Pdf, pdfOf, rule, SMALL, widthOf } from '../../platform/pdf.ts'
import { operation } from '../../records/operation.ts'
import { readCommonSettings } from '../settings/index.ts'

/** Points. */
const ROW_PAD = 4

export const offerPdf = operation(salesCalls.offerPdf, async ({ app, records, actor, params, reply }) => {
  const offer: OfferPrint = JSON.parse(
    await records.view(Offer, params.id, {
      expand: 'services.service,services.status,user,lead.contacts,lead.company,lead.responsible.user',
    }),
  )
  const sums = (await app.db.one<Sums>(sql`
      select coalesce(sum(round("quantity" * coalesce("price", 0), 2)), 0)::text as gross,
        coalesce(sum("discount"), 0)::text as discount
      from sales_management_offer_services where "idOffer" = ${offer.id} and not "deleted" and "idStatus" <> 2`)) as Sums
  const { clinicName } = await readCommonSettings(app.db)
  const bytes = await pdfOf({ title: offer.name, clinicName }, (doc) => {
    head(doc, offer, clinicName, actor.timeZone)
    table(doc, offer)
    totals(doc, offer, sums)
    signatures(doc, offer)
  })
  return reply
    .type('application/pdf')
    .header('content-disposition', disposition('inline', `Предложение ${offer.id}.pdf`))
    .send(bytes)
})

/** Decimal texts made by SQL. */
interface Sums {
  gross: string
  discount: string
}

interface Named {
  fio: string
}

interface OfferPrint {
  id: number
  name: string
  dateCreate: string
  dateValid: string | null
  total: number
  user: Named | null
  lead: {
    id: number
    title: string
    contacts: (Named & { phone: string | null })[]
    company: { name: string } | null
    responsible: { user: Named | null }[]
  }
  services: {
    quantity: number
    price: number | null
    discount: number
    total: number
    idStatus: number
    service: { nameService: string; unit: string | null }
    status: { name: string }
  }[]
}

function head(doc: Pdf, offer: OfferPrint, clinicName: string, timeZone: string): void {
  if (clinicName) doc.font('bold').fontSize(NORMAL).fillColor(GREY).text(clinicName).moveDown(1)
  doc.font('bold').fontSize(17).fillColor('black').text(offer.name)
  doc.font('regular').fontSize(NORMAL).fillColor(GREY)
  doc.text(`Предложение № ${offer.id} от ${formatDate(offer.dateCreate, timeZone)}`).moveDown(0.8)
  const { lead } = offer
  const people = lead.contacts.map(({ fio, phone }) => [fio, phoneText(phone)].filter(Boolean).join(', '))
  const responsible = lead.responsible.flatMap(({ user }) => user?.fio ?? [])
  fact(doc, 'Сделка', `${lead.title} (№ ${lead.id})`)
  fact(doc, people.length > 1 ? 'Контакты' : 'Контакт', people.join('\n'))
  fact(doc, 'Компания', lead.company?.name ?? '')
  if (offer.dateValid) fact(doc, 'Действует до', formatDate(offer.dateValid, timeZone))
  fact(doc, 'Ответственный', responsible.join(', ') || (offer.user?.fio ?? ''))
  doc.moveDown(1)
}

interface Column {
  title: string
  width: number
  align: 'left' | 'right'
  text(line: OfferPrint['services'][number], n: number): string
}

/** The name takes what the others leave. */
const columns: readonly Column[] = [
  { title: '№', width: 22, align: 'left', text: (_line, n) => String(n) },
  { title: 'Услуга', width: 0, align: 'left', text: ({ service }) => service.nameService },
  {
    title: 'Кол-во',
    width: 56,
    align: 'right',
    text: ({ quantity, service }) => [formatNumber(quantity), service.unit].filter(Boolean).join(' '),
  },
  { title: 'Цена, ₽', width: 74, align: 'right', text: ({ price }) => formatNumber(price ?? 0, 2) },
  {
    title: 'Скидка, ₽',
    width: 64,
    align: 'right',
    text: ({ discount }) => (discount ? formatNumber(discount, 2) : '—'),
  },
  { title: 'Сумма, ₽', width: 78, align: 'right', text: ({ total }) => formatNumber(total, 2) },
]
const GAP = 6

function table(doc: Pdf, { services }: OfferPrint): void {
  const lines = services.filter(({ idStatus }) => idStatus !== 2)
  const place = placed(doc)
  const row = (texts: readonly string[], font: string, size: number, colour: string) => {
    doc.font(font).fontSize(size)
    const height = Math.max(...place.map(({ width, align }, i) => doc.heightOfString(texts[i] ?? '', { width, align })))
    if (!fits(doc, height + 2 * ROW_PAD)) {
      doc.addPage()
      if (font === 'regular') titles()
      doc.font(font).fontSize(size)
    }
    const top = doc.y + ROW_PAD
    doc.fillColor(colour)
    for (const [i, { x, width, align }] of place.entries()) doc.text(texts[i] ?? '', x, top, { width, align })
    doc.y = top + height + ROW_PAD
    doc.x = MARGIN
    rule(doc)
  }
  const titles = () =>
    row(
      columns.map(({ title }) => title),
      'bold',
      SMALL,
      GREY,
    )
  titles()
  for (const [i, line] of lines.entries())
    row(
      columns.map(({ text }) => text(line, i + 1)),
      'regular',
      NORMAL,
      'black',
    )
}

function placed(doc: Pdf): { x: number; width: number; align: 'left' | 'right' }[] {
  const fixed = columns.reduce((sum, { width }) => sum + width, 0) + GAP * (columns.length - 1)
  let x = MARGIN
  return columns.map(({ width, align }) => {
    const own = width || widthOf(doc) - fixed
    const here = { x, width: own, align }
    x += own + GAP
    return here
  })
}

function totals(doc: Pdf, { total }: OfferPrint, { gross, discount }: Sums): void {
  const isDiscounted = !/^0(\.0+)?$/.test(discount)
  const rows: [string, string, string][] = [
    ...(isDiscounted
      ? ([
          ['Стоимость', formatMoney(gross), 'regular'],
          ['Скидка', formatMoney(discount), 'regular'],
        ] as [string, string, string][])
      : []),
    ['Итого', formatMoney(total), 'bold'],
  ]
  if (!fits(doc, 18 * rows.length + 8)) doc.addPage()
  doc.y += 8
  const width = widthOf(doc)
  for (const [label, value, font] of rows) {
    const top = doc.y
    doc
      .font(font)
      .fontSize(font === 'bold' ? 12 : NORMAL)
      .fillColor('black')
    doc.text(label, MARGIN, top, { width: width - 130, align: 'right' })
    doc.text(value, MARGIN + width - 124, top, { width: 124, align: 'right' })
    doc.y += 3
  }
  doc.x = MARGIN
}

/** Where the clinic and the client sign; the two lines stay on one page. */
function signatures(doc: Pdf, { lead, user }: OfferPrint): void {
  const height = 90
  if (!fits(doc, height)) doc.addPage()
  const width = (widthOf(doc) - 40) / 2
  const top = doc.y + 44
  const sides = [
    ['От клиники', lead.responsible[0]?.user?.fio ?? user?.fio ?? ''],
    ['Клиент', lead.contacts[0]?.fio ?? ''],
  ] as const
  for (const [at, [side, fio]] of sides.entries()) {
    const x = MARGIN + at * (width + 40)
    doc
      .moveTo(x, top)
      .lineTo(x + width, top)
      .lineWidth(0.5)
      .strokeColor(GREY)
      .stroke()
    doc.font('regular').fontSize(SMALL).fillColor(GREY)
    doc.text(`${side}${fio ? `: ${fio}` : ''}`, x, top + 4, { width })
    doc.text('подпись, дата', x, top + 4, { width, align: 'right' })
  }
  doc.x = MARGIN
}
