/**
 * Text format of bank statements for 1C («1CClientBankExchange», version 1.03, 1c.ru «Стандарт обмена»): sections of
 * `Key=Value` lines. Pure: the caller decodes the bytes, as windows-1251 unless the file declares UTF-8.
 */
import { formatMoney } from '../../format.ts'
import { messages } from '../../messages.ts'

export interface StatementDocument {
  kind: string
  number: string
  /** The day of execution by the bank, else the document's own. */
  day: string
  kopecks: number
  payerAccount: string
  payer: string
  payerInn: string
  payeeAccount: string
  payee: string
  payeeInn: string
  purpose: string
  /** Days of execution on the statement's account. */
  debited: string | null
  credited: string | null
}

export interface ReadStatement {
  account: string
  from: string | null
  to: string | null
  opening: number | null
  closing: number | null
  documents: StatementDocument[]
  /** Problems in Russian; the readable rest is returned. */
  problems: string[]
}

export const MAX_STATEMENT_DOCUMENTS = 10_000
const MAX_PROBLEMS = 50

/** Why a file is not a statement, in Russian. */
export class StatementError extends Error {}

/** Parses rubles of a bank file, `1234.56` or `1234,5`, to kopecks; undefined if invalid. */
export function statementSum(text: string): number | undefined {
  const parts = /^\s*(-?\d{1,12})(?:[.,](\d{1,2}))?\s*$/.exec(text)
  if (!parts) return undefined
  const sign = text.trim().startsWith('-') ? -1 : 1
  return sign * (Math.abs(Number(parts[1])) * 100 + Number((parts[2] ?? '0').padEnd(2, '0')))
}

/** `31.12.2026` to `2026-12-31`; undefined if invalid. */
export function statementDay(text: string): string | undefined {
  const parts = /^\s*(\d{2})\.(\d{2})\.(\d{4})\s*$/.exec(text)
  if (!parts) return undefined
  const day = `${parts[3]}-${parts[2]}-${parts[1]}`
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day ? undefined : day
}

/** @throws StatementError if the file has another format */
export function readStatement(text: string): ReadStatement {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  if (lines[0]?.trim() !== '1CClientBankExchange')
    throw new StatementError('Это не выписка в формате 1С: первая строка должна быть «1CClientBankExchange»')
  const read: ReadStatement = {
    account: '',
    from: null,
    to: null,
    opening: null,
    closing: null,
    documents: [],
    problems: [],
  }
  const blame = (message: string) => {
    if (read.problems.length < MAX_PROBLEMS) read.problems.push(message)
  }
  let section: 'head' | 'account' | 'document' = 'head'
  let fields = new Map<string, string>()
  let begun = 0
  for (const [at, raw] of lines.entries()) {
    const line = raw.trim()
    if (line === '') continue
    const sign = line.indexOf('=')
    const key = sign < 0 ? line : line.slice(0, sign).trim()
    const value = sign < 0 ? '' : line.slice(sign + 1).trim()
    if (key === 'СекцияРасчСчет') {
      section = 'account'
      fields = new Map()
    } else if (key === 'КонецРасчСчет') {
      read.opening ??= statementSum(fields.get('НачальныйОстаток') ?? '') ?? null
      read.closing = statementSum(fields.get('КонечныйОстаток') ?? '') ?? read.closing
      read.account ||= fields.get('РасчСчет') ?? ''
      section = 'head'
    } else if (key === 'СекцияДокумент') {
      section = 'document'
      begun = at + 1
      fields = new Map([['kind', value]])
    } else if (key === 'КонецДокумента') {
      if (section === 'document') addDocument(read, fields, begun, blame)
      section = 'head'
    } else if (key === 'КонецФайла') break
    else if (section === 'head') {
      if (key === 'РасчСчет') read.account ||= value
      else if (key === 'ДатаНачала') read.from = statementDay(value) ?? null
      else if (key === 'ДатаКонца') read.to = statementDay(value) ?? null
    } else fields.set(key, value)
  }
  if (section === 'document') blame(`Строка ${begun}: документ обрывается`)
  const gap = gapOf(read)
  if (gap) blame(gap)
  return read
}

/**
 * Message that the balances of the bank do not follow from the operations of the file; undefined: they do, or are not
 * given.
 */
function gapOf({ account, opening, closing, documents }: ReadStatement): string | undefined {
  if (opening === null || closing === null) return undefined
  const sum = (incoming: boolean) =>
    documents.reduce((all, one) => all + (isIncoming(one, account) === incoming ? one.kopecks : 0), 0)
  const [credited, debited] = [sum(true), sum(false)]
  const gap = closing - (opening + credited - debited)
  if (gap === 0) return undefined
  const words = (kopecks: number) => formatMoney(kopecks / 100)
  return `Остатки не сходятся на ${words(Math.abs(gap))}: было ${words(opening)}, пришло ${words(credited)}, ушло ${words(debited)}, а по банку осталось ${words(closing)}. В файле не все операции`
}

function addDocument(
  read: ReadStatement,
  fields: ReadonlyMap<string, string>,
  at: number,
  blame: (message: string) => void,
): void {
  const say = (key: string) => fields.get(key) ?? ''
  const of = `Строка ${at}, документ ${say('Номер') || 'без номера'}`
  if (read.documents.length >= MAX_STATEMENT_DOCUMENTS)
    throw new StatementError(`${messages.listMax(MAX_STATEMENT_DOCUMENTS)}: разделите выписку по датам`)
  const kopecks = statementSum(say('Сумма'))
  if (kopecks === undefined || kopecks <= 0) {
    blame(`${of}: не читается сумма «${say('Сумма')}»`)
    return
  }
  const debited = statementDay(say('ДатаСписано')) ?? null
  const credited = statementDay(say('ДатаПоступило')) ?? null
  const day = debited ?? credited ?? statementDay(say('Дата'))
  if (day === undefined) {
    blame(`${of}: не читается дата «${say('Дата')}»`)
    return
  }
  read.documents.push({
    kind: say('kind'),
    number: say('Номер').slice(0, 64),
    day,
    kopecks,
    payerAccount: say('ПлательщикСчет') || say('ПлательщикРасчСчет'),
    payer: (say('Плательщик1') || say('Плательщик')).slice(0, 500),
    payerInn: say('ПлательщикИНН').slice(0, 12),
    payeeAccount: say('ПолучательСчет') || say('ПолучательРасчСчет'),
    payee: (say('Получатель1') || say('Получатель')).slice(0, 500),
    payeeInn: say('ПолучательИНН').slice(0, 12),
    purpose: say('НазначениеПлатежа').slice(0, 1000),
    debited,
    credited,
  })
}

/** True for money coming to the account of the statement. */
export const isIncoming = (document: StatementDocument, account: string): boolean =>
  document.payeeAccount === account || (document.payerAccount !== account && document.credited !== null)

/** An unpaid expense that a bank operation may pay. */
export interface Payable {
  id: number
  kopecks: number
  inn: string | null
  number: string | null
  day: string
}

/**
 * The expense that an outgoing operation pays: equal sum, and the contractor's ИНН or the document number in the
 * payment's purpose. Of several, the one with the nearest day; undefined: an employee decides.
 */
export function matchExpense(
  document: Pick<StatementDocument, 'kopecks' | 'payeeInn' | 'purpose' | 'day'>,
  expenses: readonly Payable[],
): number | undefined {
  const words = document.purpose.toLowerCase()
  const fits = expenses.filter(
    ({ kopecks, inn, number }) =>
      kopecks === document.kopecks &&
      ((inn !== null && inn === document.payeeInn) ||
        (number !== null && number.length > 2 && words.includes(number.toLowerCase()))),
  )
  const distance = ({ day }: Payable) => Math.abs(Date.parse(day) - Date.parse(document.day))
  return fits.toSorted((a, b) => distance(a) - distance(b) || a.id - b.id)[0]?.id
}
