/** A regulation as a Word document. importDocx can read it back: the steps are its headings. */
import {
  AlignmentType,
  Document,
  type FileChild,
  Footer,
  HeadingLevel,
  ImageRun,
  type IStylesOptions,
  Packer,
  PageNumber,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import type { Letterhead } from '#platform/letterhead.ts'
import { blocksOf } from '#platform/richBlocks.ts'
import { writableXml } from '#platform/xml/text.ts'
import { blocksToDocx, numbering } from './exportDocxBlocks.ts'
import { codeStyle, quoteStyle, serviceStyle } from './exportDocxStyles.ts'
import type { Fact, Paper, PaperStep, Picture } from './paper.ts'

/** Pixels at 96 dpi: the width between the margins, and the maximum height of a picture on a page. */
const WIDTH = 600
const HEIGHT = 420
const LOGO = { width: 160, height: 58 }
/** Twips: 1/20 of a point. */
const MARGIN = 1_000

export const draw = (paper: Paper): Promise<Buffer> => Packer.toBuffer(documentOf(writable(paper)))

/** Removes characters that XML does not allow from every text: word processors reject documents that contain one. */
function writable<T>(value: T): T {
  if (typeof value === 'string') return writableXml(value) as T
  if (Array.isArray(value)) return value.map(writable) as T
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, writable(one)])) as T
}

function documentOf(paper: Paper): Document {
  const { name, head, description, facts, steps, sheet } = paper
  return new Document({
    title: name,
    ...(head.name && { creator: head.name }),
    styles,
    numbering,
    sections: [
      {
        properties: { page: { margin: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN } } },
        footers: { default: pageNumbers() },
        children: [
          ...headOf(head),
          new Paragraph({ text: name, heading: HeadingLevel.TITLE }),
          ...description.split('\n').flatMap((line) => (line.trim() ? [new Paragraph({ text: line })] : [])),
          ...facts.map(factOf),
          ...steps.flatMap((step, at) => stepOf(step, at + 1)),
          ...(sheet ? sheetOf(name, sheet) : []),
        ],
      },
    ],
  })
}

/** Letterhead: the logo, then the name and the requisites. */
function headOf({ name, lines, logo }: Letterhead): Paragraph[] {
  const words = [name, ...lines].filter(Boolean).map(service)
  if (!logo) return words
  // Size of a PNG in pixels.
  const bytes = new DataView(logo.buffer, logo.byteOffset, logo.byteLength)
  const [width, height] = [bytes.getUint32(16), bytes.getUint32(20)]
  const scale = Math.min(1, LOGO.width / width, LOGO.height / height)
  const transformation = { width: Math.round(width * scale), height: Math.round(height * scale) }
  const altText = { name: 'Логотип', title: 'Логотип', description: 'Логотип клиники' }
  return [
    new Paragraph({
      style: serviceStyle,
      children: [new ImageRun({ type: 'png', data: logo, transformation, altText })],
    }),
    ...words,
  ]
}

/** The number is part of the text, so that every program shows it. */
const stepOf = ({ title, facts, html, pictures }: PaperStep, n: number): FileChild[] => [
  new Paragraph({ text: `${n}. ${title}`, heading: HeadingLevel.HEADING_1, keepNext: true }),
  ...facts.map(factOf),
  ...blocksToDocx(blocksOf(html)),
  ...pictures.flatMap(pictureOf),
]

/** Text that the import skips: step data outside of its description. */
const service = (text: string): Paragraph => new Paragraph({ text, style: serviceStyle })

const factOf = ([label, value]: Fact): Paragraph =>
  new Paragraph({
    style: serviceStyle,
    children: value
      .split('\n')
      .map((line, at) => new TextRun(at === 0 ? { text: `${label}: ${line}` } : { text: line, break: 1 })),
  })

function pictureOf({ bytes, width, height, caption }: Picture): Paragraph[] {
  if (!bytes) return [service(`Картинка не показана${caption ? `: ${caption}` : ''}`)]
  const scale = Math.min(1, WIDTH / width, HEIGHT / height)
  const transformation = { width: Math.round(width * scale), height: Math.round(height * scale) }
  return [
    new Paragraph({
      keepNext: caption !== '',
      children: [
        new ImageRun({
          type: 'jpg',
          data: bytes,
          transformation,
          altText: { name: caption || 'Картинка', title: caption, description: caption },
        }),
      ],
    }),
    ...(caption ? [service(caption)] : []),
  ]
}

function sheetOf(name: string, sheet: NonNullable<Paper['sheet']>): FileChild[] {
  const widths = [6, 50, 16, 28]
  const row = (texts: readonly string[], isHead = false) =>
    new TableRow({
      ...(isHead && { tableHeader: true }),
      cantSplit: true,
      height: { value: 480, rule: 'atLeast' },
      children: texts.map(
        (text, at) =>
          new TableCell({
            width: { size: widths[at] as number, type: WidthType.PERCENTAGE },
            children: [new Paragraph({ style: serviceStyle, children: [new TextRun({ text, bold: isHead })] })],
          }),
      ),
    })
  return [
    new Paragraph({
      style: serviceStyle,
      pageBreakBefore: true,
      children: [new TextRun({ text: 'Лист ознакомления', bold: true, size: 28 })],
    }),
    service(name),
    new Table({
      width: { size: 100, type: WidthType.PERCENTAGE },
      rows: [
        row(['№', 'Фамилия, имя, отчество', 'Дата', 'Подпись'], true),
        ...sheet.map(({ name, date }, at) => row([String(at + 1), name, date, ''])),
      ],
    }),
  ]
}

const pageNumbers = (): Footer =>
  new Footer({
    children: [
      new Paragraph({
        alignment: AlignmentType.RIGHT,
        children: [
          new TextRun({ children: [PageNumber.CURRENT, ' из ', PageNumber.TOTAL_PAGES], size: 17, color: '5c6670' }),
        ],
      }),
    ],
  })

/** Sizes in half points, spaces in twips. */
const styles: IStylesOptions = {
  default: {
    document: {
      run: { font: 'PT Sans', size: 21, language: { value: 'ru-RU' } },
      paragraph: { spacing: { after: 100 } },
    },
    title: { run: { size: 36, bold: true }, paragraph: { spacing: { after: 160 } } },
    heading1: { run: { size: 26, bold: true }, paragraph: { spacing: { before: 320, after: 80 } } },
    heading2: { run: { size: 24, bold: true }, paragraph: { spacing: { before: 160, after: 60 } } },
    heading3: { run: { size: 22, bold: true }, paragraph: { spacing: { before: 120, after: 60 } } },
    heading4: { run: { size: 21, bold: true }, paragraph: { spacing: { before: 120, after: 60 } } },
    heading5: { run: { size: 21, bold: true, italics: true }, paragraph: { spacing: { before: 120, after: 60 } } },
  },
  paragraphStyles: [
    {
      id: serviceStyle,
      name: serviceStyle,
      basedOn: 'Normal',
      run: { size: 18, color: '5c6670' },
      paragraph: { spacing: { after: 20 } },
    },
    {
      id: quoteStyle,
      name: quoteStyle,
      basedOn: 'Normal',
      run: { color: '5c6670' },
      paragraph: { indent: { left: 360 } },
    },
    { id: codeStyle, name: codeStyle, basedOn: 'Normal', run: { font: 'Courier New', size: 19 } },
  ],
}
