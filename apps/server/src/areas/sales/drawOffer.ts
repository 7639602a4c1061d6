/** An offer on paper: A4, for the patient. */
import { formatDate, formatMoney, formatNumber } from '@ordinator/model/format'
import { phoneText } from '@ordinator/model/phone'
import { drawTitle, housePaper, type Letterhead } from '#platform/letterhead.ts'
import { facts, type Pdf } from '#platform/pdf.ts'
import { drawSignatures, drawSums, drawTable, type PdfColumn } from '#platform/pdfTable.ts'

interface OfferPaper {
  offer: OfferPrint
  all: Sums
  head: Letterhead
  timeZone: string
}

export const draw = ({ offer, all, head, timeZone }: OfferPaper) =>
  housePaper({ title: offer.name, head }, (doc) => {
    title(doc, offer, timeZone)
    drawTable(
      doc,
      columns,
      offer.services.filter(({ idStatus }) => idStatus !== 2),
    )
    drawSums(doc, sums(offer, all))
    drawSignatures(doc, [
      ['От клиники', offer.lead.responsible[0]?.user?.fio ?? offer.user?.fio ?? ''],
      ['Клиент', offer.lead.contacts[0]?.fio ?? ''],
    ])
  })

/** Decimal texts from SQL. */
export interface Sums {
  gross: string
  discount: string
}

interface Named {
  fio: string
}

export interface OfferPrint {
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

function title(doc: Pdf, offer: OfferPrint, timeZone: string): void {
  drawTitle(doc, offer.name, { under: [`Предложение № ${offer.id} от ${formatDate(offer.dateCreate, timeZone)}`] })
  const { lead } = offer
  const people = lead.contacts.map(({ fio, phone }) => [fio, phoneText(phone)].filter(Boolean).join(', '))
  const responsible = lead.responsible.flatMap(({ user }) => user?.fio ?? [])
  facts(doc, [
    ['Сделка', `${lead.title} (№ ${lead.id})`],
    [people.length > 1 ? 'Контакты' : 'Контакт', people.join('\n')],
    ['Компания', lead.company?.name ?? ''],
    ['Действует до', offer.dateValid ? formatDate(offer.dateValid, timeZone) : ''],
    ['Ответственный', responsible.join(', ') || (offer.user?.fio ?? '')],
  ])
  doc.moveDown(1)
}

/** The name column takes the remaining width. */
const columns: readonly PdfColumn<OfferPrint['services'][number]>[] = [
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

const sums = ({ total }: OfferPrint, { gross, discount }: Sums): [string, string][] => [
  ...(/^0(\.0+)?$/.test(discount)
    ? []
    : ([
        ['Стоимость', formatMoney(gross)],
        ['Скидка', formatMoney(discount)],
      ] as [string, string][])),
  ['Итого', formatMoney(total)],
]
