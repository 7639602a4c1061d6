/** Writes a workbook of text cells as a stream, so that a sheet of any length takes no memory (ECMA-376, part 1, §18). */
import { escapedXml } from './xml/text.ts'
import { type StreamedFile, zipStream } from './zipStream.ts'

/** Maximum rows of a sheet, the head included. */
export const MAX_SHEET_ROWS = 1_048_576
/** Excel opens no longer names of sheets, and none with these signs. */
const MAX_NAME = 31
const FORBIDDEN = /[[\]:*?/\\]/g
/** Maximum characters of a cell. */
const MAX_CELL = 32_767

export interface StreamedSheet {
  name: string
  /** In characters. */
  widths: readonly number[]
  /** Stays in sight, in bold. */
  head: readonly string[]
  /** Rows in parts: each part is written at once. */
  rows: AsyncIterable<readonly (readonly string[])[]>
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * The bytes of a workbook.
 * @param sheets at least one, with different names
 * @throws RangeError when a sheet has more than `MAX_SHEET_ROWS` rows
 */
export const xlsxStream = (sheets: AsyncIterable<StreamedSheet>): AsyncGenerator<Buffer, void> =>
  zipStream(filesOf(sheets))

async function* filesOf(sheets: AsyncIterable<StreamedSheet>): AsyncGenerator<StreamedFile, void> {
  const names: string[] = []
  for await (const sheet of sheets) {
    names.push(sheet.name.replace(FORBIDDEN, ' ').slice(0, MAX_NAME))
    yield { name: `xl/worksheets/sheet${names.length}.xml`, content: sheetXml(sheet) }
  }
  const each = (write: (n: number, name: string) => string) => names.map((name, at) => write(at + 1, name)).join('')
  const part = (name: string, xml: string) => ({ name, content: whole(DECLARATION + xml) })
  yield part(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each(
      (n, name) => `<sheet name="${textXml(name)}" sheetId="${n}" r:id="rId${n}"/>`,
    )}</sheets></workbook>`,
  )
  yield part(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships">${each(
      (n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
    )}<Relationship Id="rId${names.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  )
  yield part(
    'xl/styles.xml',
    `<styleSheet xmlns="${MAIN}"><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
  )
  yield part(
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  yield part(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>${each(
      (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPES}.worksheet+xml"/>`,
    )}</Types>`,
  )
}

async function* whole(text: string): AsyncGenerator<string, void> {
  yield text
}

async function* sheetXml({ widths, head, rows }: StreamedSheet): AsyncGenerator<string, void> {
  const columns = widths
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns}</cols><sheetData>${rowXml(1, head, ' s="1"')}`
  let number = 1
  for await (const part of rows) {
    if (number + part.length > MAX_SHEET_ROWS) throw new RangeError(`a sheet of more than ${MAX_SHEET_ROWS} rows`)
    yield part.map((cells) => rowXml(++number, cells)).join('')
  }
  yield '</sheetData></worksheet>'
}

const rowXml = (number: number, cells: readonly string[], style = ''): string =>
  `<row r="${number}">${cells
    .map((text, at) =>
      text === ''
        ? ''
        : `<c r="${lettersOf(at)}${number}" t="inlineStr"${style}><is><t xml:space="preserve">${textXml(text)}</t></is></c>`,
    )
    .join('')}</row>`

const textXml = (text: string): string => escapedXml(text.slice(0, MAX_CELL))

/** `A` … `Z`, `AA` … of a column by its place from 0. */
function lettersOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26))
  return at < 26 ? letter : lettersOf(Math.floor(at / 26) - 1) + letter
}
