/** Documents of the laboratory: A4, with the clinic's header. */
import { type Flag, flags, valueWords } from '@ordinator/model/areas/laboratory/values'
import { formatMoney } from '@ordinator/model/format'
import { drawTitle, housePaper, type Letterhead } from '#platform/letterhead.ts'
import { facts, GREY, leftOf, NORMAL, type Pdf, SMALL, widthOf, words } from '#platform/pdf.ts'
import { drawSignatures, drawSums, drawTable, type PdfColumn } from '#platform/pdfTable.ts'

export interface ResultLine {
  test: string
  method: string | null
  name: string
  value: string
  unit: string | null
  norm: string | null
  flag: Flag | null
  /** For a corrected value: the earlier one. */
  former: string | null
  reason: string | null
  comment: string | null
  device: string | null
  doctor: string | null
  isPartner: boolean
  laboratory: string
}

interface SoldLine {
  name: string
  price: string
  preparation: string | null
  due: string
  laboratory: string
}

interface TubeLine {
  barcode: string
  container: string
  material: string
  temp: string
  tests: string
}

export interface LabPaper {
  kind: 'order' | 'referral' | 'contract' | 'result' | 'act'
  title: string
  date: string
  head: Letterhead
  facts: readonly (readonly [label: string, value: string])[]
  sold: readonly SoldLine[]
  tubes: readonly TubeLine[]
  results: readonly ResultLine[]
  patient: string
  doctor: string
  organization: string
}

export const draw = (paper: LabPaper) =>
  housePaper({ title: paper.title, head: paper.head }, (doc) => {
    drawTitle(doc, paper.title, { under: [`от ${paper.date}`] })
    facts(doc, paper.facts)
    doc.moveDown(0.8)
    if (paper.kind === 'result') return drawResults(doc, paper)
    if (paper.kind === 'order' || paper.kind === 'contract') drawSold(doc, paper)
    if (paper.kind === 'contract') drawContract(doc, paper)
    if (paper.kind === 'referral' || paper.kind === 'act') drawTable(doc, tubeColumns(paper.kind), paper.tubes)
    if (paper.kind === 'order') drawPreparation(doc, paper.sold)
    drawSignatures(
      doc,
      paper.kind === 'act'
        ? [
            ['Сдал', paper.doctor],
            ['Курьер', paper.patient],
            ['Принял', ''],
          ]
        : paper.kind === 'referral'
          ? [['Врач', paper.doctor]]
          : [
              ['Исполнитель', paper.organization],
              ['Пациент', paper.patient],
            ],
    )
  })

const soldColumns: readonly PdfColumn<SoldLine>[] = [
  { title: '№', width: 22, align: 'left', text: (_line, n) => String(n) },
  { title: 'Исследование', width: 0, align: 'left', text: ({ name }) => name },
  { title: 'Лаборатория', width: 110, align: 'left', text: ({ laboratory }) => laboratory },
  { title: 'Готовность', width: 72, align: 'left', text: ({ due }) => due },
  { title: 'Стоимость', width: 76, align: 'right', text: ({ price }) => formatMoney(price) },
]

function drawSold(doc: Pdf, { sold }: LabPaper): void {
  drawTable(doc, soldColumns, sold)
  // In kopecks, to avoid rounding.
  const total = sold.reduce((sum, { price }) => sum + BigInt(price.replace('.', '')), 0n)
  drawSums(doc, [['Итого', formatMoney(Number(total) / 100)]])
}

function drawPreparation(doc: Pdf, sold: readonly SoldLine[]): void {
  const byText = Map.groupBy(
    sold.filter(({ preparation }) => preparation),
    ({ preparation }) => preparation as string,
  )
  if (byText.size === 0) return
  doc.moveDown(0.8).font('bold').fontSize(NORMAL).fillColor('black').text('Подготовка', leftOf(doc))
  doc.font('regular')
  for (const [text, of] of byText)
    doc.text(`${of.map(({ name }) => name).join(', ')}: ${text}`, { width: widthOf(doc) }).moveDown(0.3)
}

/** Standard text of the clinic's contracts; a clinic's own text is in its print templates. */
function drawContract(doc: Pdf, { organization, patient }: LabPaper): void {
  doc.moveDown(0.8).font('regular').fontSize(NORMAL).fillColor('black')
  for (const text of [
    `${organization} (исполнитель) оказывает, а ${patient} (пациент) оплачивает лабораторные исследования, перечисленные выше, по указанным ценам.`,
    'Исполнитель сообщает о готовности результатов и выдаёт их пациенту или его законному представителю; срок готовности указан для каждого исследования.',
    'До начала исследования пациент вправе отказаться от услуги; оплаченная стоимость возвращается.',
    'Исследования лабораторий-партнёров выполняются по договору исполнителя с ними; ответственность перед пациентом несёт исполнитель.',
  ])
    words(doc, text).moveDown(0.4)
}

const tubeColumns = (kind: 'referral' | 'act'): readonly PdfColumn<TubeLine>[] => [
  { title: '№', width: 22, align: 'left', text: (_line, n) => String(n) },
  { title: 'Штрихкод', width: 76, align: 'left', text: ({ barcode }) => barcode },
  { title: 'Контейнер', width: 120, align: 'left', text: ({ container, material }) => container || material },
  { title: kind === 'act' ? 'Заказ' : 'Режим', width: 66, align: 'left', text: ({ temp }) => temp },
  { title: 'Исследования', width: 0, align: 'left', text: ({ tests }) => tests },
]

/** Values outside the norm have an arrow and a word, so that a black-and-white copy shows it too. */
const signs: Readonly<Record<Flag, string>> = {
  N: '',
  L: '▼ ниже',
  H: '▲ выше',
  LL: '▼▼ критически',
  HH: '▲▲ критически',
  A: '! отклонение',
}

const resultColumns: readonly PdfColumn<ResultLine>[] = [
  { title: 'Показатель', width: 0, align: 'left', text: ({ name }) => name },
  {
    title: 'Результат',
    width: 96,
    align: 'right',
    text: ({ value, former }) => (former ? `${valueWords(value)}\n(было ${valueWords(former)})` : valueWords(value)),
  },
  { title: '', width: 72, align: 'left', text: ({ flag }) => (flag ? signs[flag] : '') },
  { title: 'Единица', width: 64, align: 'left', text: ({ unit }) => unit ?? '' },
  { title: 'Норма', width: 92, align: 'left', text: ({ norm }) => norm ?? '' },
]

function drawResults(doc: Pdf, { results, doctor }: LabPaper): void {
  const groups = Map.groupBy(results, ({ test }) => test)
  const rows = [...groups].flatMap(([test, lines]) => [{ heading: test }, ...lines])
  drawTable(doc, resultColumns, rows)
  doc.moveDown(0.6).font('regular').fontSize(SMALL).fillColor(GREY)
  for (const { name, comment, reason } of results) {
    if (comment) words(doc, `${name}: ${comment}`)
    if (reason) words(doc, `${name}: результат исправлен, ${reason}`)
  }
  const devices = [...new Set(results.flatMap(({ device }) => (device ? [device] : [])))]
  if (devices.length) words(doc, `Анализаторы: ${devices.join(', ')}`)
  const elsewhere = [...new Set(results.filter(({ isPartner }) => isPartner).map(({ laboratory }) => laboratory))]
  if (elsewhere.length) words(doc, `Выполнено: ${elsewhere.join(', ')}`)
  words(
    doc,
    `▼ — ${flags.L.toLowerCase()}, ▲ — ${flags.H.toLowerCase()}. Норма — принятая в лаборатории, которая выполнила исследование. Результат не является диагнозом: его оценивает лечащий врач.`,
    4,
  )
  const confirmed = [...new Set(results.flatMap((line) => (line.doctor ? [line.doctor] : [])))]
  drawSignatures(
    doc,
    (confirmed.length ? confirmed : [doctor]).slice(0, 2).map((fio) => ['Врач лаборатории', fio] as const),
  )
}
