/**
 * The answer of a payer as a table: what of each line is cut and why. A row is a line by its number in the registry, else
 * by policy, day and code; lines that the table lacks stay unanswered. The same table twice changes nothing.
 */
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { PayerRegistry, RegistryLine } from '@ordinator/model/areas/payers/registry'
import type { RegistryColumn } from '@ordinator/model/areas/payers/rules'
import { formatDay } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Cells, type Checked, type ImportContext, type Importer, rowReader } from '#areas/imports/index.ts'
import { type Answer, type Answered, answeredSql, answerFaults, mustBeSent, writeAnswer } from './answers.ts'
import { lockContract } from './registries.ts'

const params = z.strictObject({ idRegistry: z.int().positive() })
type Params = z.output<typeof params>

const NUMBER = '№'
const POLICY = 'Полис'
const DAY = 'Дата услуги'
const CODE = 'Код услуги'
const CUT = 'Снято'
const ACCEPTED = 'Принято'
const REASON = 'Причина'
const REASON_CODE = 'Код причины'

const columns = [
  { name: NUMBER, also: ['Номер', 'Номер строки', 'N', 'NUMBER'], examples: ['1', '2'] },
  { name: POLICY, also: ['Номер полиса', '№ полиса', 'Полис ДМС', 'POLICY'], examples: ['770-123456', '770-123457'] },
  { name: DAY, also: ['Дата', 'Дата оказания', 'DATE'], examples: ['03.11.2026', '04.11.2026'] },
  { name: CODE, also: ['Код', 'Код номенклатуры', 'CODE'], examples: ['B01.047.001', 'A11.12.009'] },
  { name: CUT, also: ['Сумма снятия', 'Сумма МЭЭ', 'Удержано', 'CUT'], strict: true, examples: ['300', '0'] },
  { name: ACCEPTED, also: ['Сумма к оплате', 'К оплате', 'ACCEPTED'], strict: true, examples: ['700', '500'] },
  { name: REASON, also: ['Причина снятия', 'Обоснование', 'REASON'], examples: ['Нет показаний', ''] },
  { name: REASON_CODE, also: ['Код дефекта', 'Код снятия', 'DEFECT'], examples: ['2.1', ''] },
] as const

interface Line extends Answered {
  id: number
  answered: Answer
  values: Partial<Record<RegistryColumn, string>>
}

interface Ready {
  byNumber: Map<string, Line[]>
  byService: Map<string, Line[]>
  taken: Set<number>
}

interface Values {
  line: Line
  answer: Answer
}

const serviceKey = (policy = '', day = '', code = ''): string => [policy, day, code].join('|').toLowerCase()

async function open({ records, tx, params: { idRegistry } }: ImportContext<Params>): Promise<Ready> {
  const { idContract } = await records.row(PayerRegistry, idRegistry)
  await lockContract(tx, idContract)
  mustBeSent(await records.row(PayerRegistry, idRegistry))
  const lines = await tx.query<Line>(sql`select z."id"::int as id, z."values", ${answeredSql},
      jsonb_build_object('cut', z."cut", 'reason', z."reason", 'code', z."reasonCode") as answered
    from payer_registries_lines z where z."idRegistry" = ${idRegistry}`)
  return {
    byNumber: Map.groupBy(lines, ({ values }) => values.number ?? ''),
    byService: Map.groupBy(lines, ({ values: { policy, date, code } }) => serviceKey(policy, date, code)),
    taken: new Set(),
  }
}

/** The line of a row; undefined, and refused, when there is none or there are several. */
function lineOf({ byNumber, byService, taken }: Ready, reader: ReturnType<typeof rowReader>): Line | undefined {
  const [number, policy] = [reader.text(NUMBER), reader.text(POLICY)]
  if (number) {
    const [line] = byNumber.get(number) ?? []
    if (!line) return reader.refuse(NUMBER, `В реестре нет строки № ${number}`)
    if (policy && policy.toLowerCase() !== line.values.policy?.toLowerCase())
      return reader.refuse(POLICY, `В строке № ${number} реестра полис ${line.values.policy ?? 'не указан'}`)
    return line
  }
  const day = reader.day(DAY)
  if (!policy || !day) return reader.refuse(NUMBER, 'Укажите № строки реестра, или полис и дату услуги')
  const alike = byService.get(serviceKey(policy, formatDay(day), reader.text(CODE))) ?? []
  // Equal services of a day are answered in their order.
  const line = alike.find(({ id }) => !taken.has(id))
  return line ?? reader.refuse(POLICY, 'Такой услуги по этому полису в реестре нет')
}

function check(ready: Ready, cells: Cells): Checked<Values> {
  const reader = rowReader(columns, cells)
  const line = lineOf(ready, reader)
  const [given, accepted] = [reader.money(CUT), reader.money(ACCEPTED)]
  if (!line || reader.errors.length) return { errors: reader.errors }
  if (ready.taken.has(line.id)) reader.refuse(NUMBER, 'Ответ на эту строку реестра уже был выше')
  const cut = given ?? (accepted === undefined ? undefined : rubles(kopecks(line.sum) - kopecks(accepted)))
  if (cut === undefined) reader.refuse(CUT, 'Укажите, сколько снято, или сколько принято')
  else if (cut < 0) reader.refuse(accepted === undefined ? CUT : ACCEPTED, `Заявлено только ${line.sum.toFixed(2)}`)
  else if (given !== undefined && accepted !== undefined && kopecks(given) + kopecks(accepted) !== kopecks(line.sum))
    reader.refuse(CUT, `Снято и принято вместе — не ${line.sum.toFixed(2)}, как заявлено`)
  const code = reader.text(REASON_CODE) || undefined
  const reason = reader.text(REASON) || (code && `Код ${code}`)
  const answer: Answer = { cut: cut ?? 0, ...(cut ? { reason, code } : {}) }
  const column = { id: NUMBER, cut: CUT, reason: REASON }
  for (const { field, message } of answerFaults(line, answer)) reader.refuse(column[field], message)
  if (reader.errors.length) return { errors: reader.errors }
  ready.taken.add(line.id)
  const isSame =
    line.state !== 'claimed' &&
    kopecks(line.answered.cut) === kopecks(answer.cut) &&
    (line.answered.reason ?? undefined) === answer.reason &&
    (line.answered.code ?? undefined) === answer.code
  return {
    values: { line, answer },
    notes: isSame ? [{ field: NUMBER, message: 'Такой ответ уже записан' }] : [],
    shown: { ...cells, [NUMBER]: line.values.number ?? '', [CUT]: String(answer.cut) },
  }
}

/** Offered by the area; the rehearsal is the preview of the import. */
export const cutsImporter: Importer<Params, Cells, Ready, Values> = {
  kind: 'payer-cuts',
  label: 'Ответ плательщика на реестр',
  access: 'editPayers',
  params,
  columns,
  changes: [RegistryLine],
  open,
  check,
  async write({ records }, _, { line, answer }) {
    await writeAnswer(records, line.id, line, answer)
    return []
  },
}
