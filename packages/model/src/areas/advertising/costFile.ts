/** The CSV export of advertising platforms: columns are found by their headings. Pure. */

export interface CostRow {
  line: number
  day: string
  campaign: string | null
  kopecks: number
  clicks: number | null
  impressions: number | null
}

const MAX_ROWS = 20_000
const MAX_PROBLEMS = 30

const headings = {
  day: ['дата', 'день', 'date', 'day'],
  campaign: ['кампания', 'название кампании', 'campaign', 'utm_campaign', 'кампания (название)'],
  cost: ['расход', 'расход, ₽', 'расход (руб.)', 'расход, руб.', 'стоимость', 'сумма', 'cost', 'spend', 'потрачено'],
  clicks: ['клики', 'clicks', 'переходы'],
  impressions: ['показы', 'impressions', 'просмотры'],
} as const
type Column = keyof typeof headings

/** Cells of a line; quotes are doubled within quotes. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] as string
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (line[at + 1] === '"') {
        cell += '"'
        at++
      } else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === separator) {
      cells.push(cell.trim())
      cell = ''
    } else cell += sign
  }
  return [...cells, cell.trim()]
}

function dayOf(text: string): string | undefined {
  const iso = /^(\d{4})-(\d\d)-(\d\d)/.exec(text)
  const ru = /^(\d{1,2})\.(\d{1,2})\.(\d{4})/.exec(text)
  const day = iso
    ? `${iso[1]}-${iso[2]}-${iso[3]}`
    : ru
      ? `${ru[3]}-${String(ru[2]).padStart(2, '0')}-${String(ru[1]).padStart(2, '0')}`
      : undefined
  if (day === undefined) return undefined
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day ? undefined : day
}

function kopecksOf(text: string): number | undefined {
  const plain = text.replace(/[\s\u00a0\u202f₽]|руб\.?/g, '').replace(',', '.')
  if (!/^\d{1,9}(\.\d+)?$/.test(plain)) return undefined
  // Platforms write fractions of a kopeck; costs are stored in whole kopecks.
  return Math.round(Number(plain) * 100)
}

const countOf = (text: string | undefined): number | null => {
  const plain = (text ?? '').replace(/[\s\u00a0\u202f]/g, '')
  return /^\d{1,9}$/.test(plain) ? Number(plain) : null
}

/** @returns the parsed rows, and the problems of the rest, in Russian */
export function readCosts(text: string): { rows: CostRow[]; problems: string[] } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const problems: string[] = []
  const blame = (message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push(message)
  }
  // Platforms put a title and the period above the table.
  let columns: Partial<Record<Column, number>> = {}
  let separator = ';'
  let begins = -1
  for (const [at, line] of lines.slice(0, 20).entries()) {
    for (const sign of [';', '\t', ',']) {
      const found = columnsOf(cellsOf(line, sign))
      if (found.day !== undefined && found.cost !== undefined) {
        columns = found
        separator = sign
        begins = at + 1
        break
      }
    }
    if (begins >= 0) break
  }
  if (begins < 0) return { rows: [], problems: ['В файле нет столбцов «Дата» и «Расход»'] }
  const rows: CostRow[] = []
  for (const [at, line] of lines.entries()) {
    if (at < begins || line.trim() === '') continue
    if (rows.length >= MAX_ROWS) {
      blame(`Взяты первые ${MAX_ROWS} строк: разделите файл`)
      break
    }
    const cells = cellsOf(line, separator)
    const say = (column: Column) => (columns[column] === undefined ? undefined : cells[columns[column]])
    if (/^(итого|всего|total)/i.test(cells[0] ?? '')) continue
    const day = dayOf(say('day') ?? '')
    const kopecks = kopecksOf(say('cost') ?? '')
    if (day === undefined) blame(`Строка ${at + 1}: не читается дата «${say('day') ?? ''}»`)
    else if (kopecks === undefined) blame(`Строка ${at + 1}: не читается расход «${say('cost') ?? ''}»`)
    else
      rows.push({
        line: at + 1,
        day,
        campaign: say('campaign') || null,
        kopecks,
        clicks: countOf(say('clicks')),
        impressions: countOf(say('impressions')),
      })
  }
  return { rows, problems }
}

function columnsOf(cells: readonly string[]): Partial<Record<Column, number>> {
  const found: Partial<Record<Column, number>> = {}
  for (const [at, cell] of cells.entries()) {
    const heading = cell.toLowerCase().replace(/\s+/g, ' ')
    for (const [column, names] of Object.entries(headings) as [Column, readonly string[]][])
      if (found[column] === undefined && names.includes(heading)) found[column] = at
  }
  return found
}
