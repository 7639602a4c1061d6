/** Pure rules of payers: whether a programme covers a service, and who pays how much of it. Sums in whole kopecks. */

export const ruleKinds = {
  allow: 'Покрыто',
  limit: 'Покрыто с лимитом',
  letter: 'Нужно гарантийное письмо',
  deny: 'Не покрыто',
} as const
export type RuleKind = keyof typeof ruleKinds
export const limitPeriods = { term: 'Срок полиса', year: 'Год', month: 'Месяц' } as const
export const letterRules = { never: 'Не нужно', listed: 'Где сказано в программе', always: 'Всегда' } as const

/** A rule of a programme; empty conditions fit everything. */
export interface Rule {
  id: number
  kind: RuleKind
  idService: number | null
  idGroup: number | null
  /** Beginning of a code of the nomenclature (804н), with `*` for any letters: `B01.*`. */
  codeMask: string | null
  /** Codes of МКБ-10: `K00-K14` or one. */
  diagnoses: string | null
  qty: number | null
  sum: number | null
}

/** What is asked of a programme. */
export interface Asked {
  idService: number
  /** The group of the service and those above it. */
  idGroups: readonly number[]
  /** Its code of the nomenclature. */
  code: string | null
  diagnosis: string | null
}

const maskOf = (mask: string): RegExp =>
  new RegExp(
    `^${mask
      .trim()
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')}`,
    'i',
  )

/** Whether a code is in a range of МКБ-10, both ends included: K14.9 is in K00-K14. */
export function isInRange(code: string, range: string): boolean {
  const [from = '', to = from] = range.split('-').map((part) => part.trim().toUpperCase())
  const own = code.trim().toUpperCase()
  return own >= from && own.slice(0, to.length) <= to
}

/** Whether a rule is of what is asked. Without a known diagnosis a rule by diagnoses does not fit. */
export const fits = (rule: Rule, asked: Asked): boolean =>
  (rule.idService === null || rule.idService === asked.idService) &&
  (rule.idGroup === null || asked.idGroups.includes(rule.idGroup)) &&
  (!rule.codeMask || (asked.code !== null && maskOf(rule.codeMask).test(asked.code))) &&
  (!rule.diagnoses ||
    (asked.diagnosis !== null &&
      rule.diagnoses.split(',').some((range) => isInRange(asked.diagnosis as string, range))))

/** The first rule, in the order of the programme, that fits; undefined: no rule, so it is not covered. */
export const ruleFor = (rules: readonly Rule[], asked: Asked): Rule | undefined =>
  rules.find((rule) => fits(rule, asked))

/** What other lines have used of a rule's limit. */
export interface Used {
  qty: number
  sum: number
}

export interface Line {
  qty: number
  /** Kopecks of the line at the contract's price. */
  total: number
}

export interface Coverage {
  isCovered: boolean
  needsLetter: boolean
  idRule: number | null
  /** The payer's kopecks; the patient pays the rest of the line. */
  share: number
  /** What is left of the limit after the line. */
  left: { qty: number | null; sum: number | null }
  /** In Russian, for the desk. */
  words: string
}

/** The part of a co-payment, in kopecks, rounded in favour of the patient. */
export const copayOf = (total: number, percent: number): number =>
  Math.floor((total * Math.round(percent * 100)) / 10_000)

const no = (words: string, idRule: number | null = null): Coverage => ({
  isCovered: false,
  needsLetter: false,
  idRule,
  share: 0,
  left: { qty: null, sum: null },
  words,
})

interface Terms {
  copay: number
  letter: keyof typeof letterRules
  /** A letter of the patient is there and is in force. */
  hasLetter: boolean
  /** Kopecks that the letter still pays; null: no limit. */
  letterRoom: number | null
}

/** Who pays for a line: the one function of prices, bookings, the bill and the try-out of a programme. */
export function coverageOf(rule: Rule | undefined, line: Line, used: Used, terms: Terms): Coverage {
  if (!rule) return no('Не покрыто: в программе об услуге не сказано')
  if (rule.kind === 'deny') return no('Не покрыто программой', rule.id)
  const needsLetter = terms.letter === 'always' || (terms.letter === 'listed' && rule.kind === 'letter')
  if (needsLetter && !terms.hasLetter) return { ...no('Нужно гарантийное письмо', rule.id), needsLetter }
  const leftQty = rule.kind === 'limit' && rule.qty !== null ? rule.qty - used.qty : null
  const leftSum = rule.kind === 'limit' && rule.sum !== null ? rule.sum - used.sum : null
  if (leftQty !== null && leftQty < line.qty)
    return no(`Не покрыто: из лимита ${rule.qty} осталось ${Math.max(0, leftQty)}`, rule.id)
  const asked = line.total - copayOf(line.total, terms.copay)
  const rooms = [leftSum, needsLetter ? terms.letterRoom : null].filter((room) => room !== null)
  const share = Math.max(0, Math.min(asked, ...rooms))
  if (share === 0 && asked > 0) return no('Не покрыто: лимит исчерпан', rule.id)
  const after = { qty: leftQty === null ? null : leftQty - line.qty, sum: leftSum === null ? null : leftSum - share }
  return {
    isCovered: true,
    needsLetter,
    idRule: rule.id,
    share,
    left: after,
    words: after.qty === null ? 'Покрыто' : `Покрыто, осталось ${after.qty} из ${rule.qty}`,
  }
}

export const registryStates = {
  draft: 'Черновик',
  sent: 'Отправлен',
  closed: 'Закрыт',
} as const
export const cutTargets = { reissue: 'Выставить снова', patient: 'В долг пациента', writeOff: 'Списать' } as const
/** When and how much of a payer's share is income in the profit and in payroll. */
export const payerIncomes = { claimed: 'Заявленное', accepted: 'Принятое' } as const
export type PayerIncome = keyof typeof payerIncomes

/** How it is counted, in the words of the reports. */
export const payerIncomeWords: Readonly<Record<PayerIncome, string>> = {
  claimed: 'Доля страховых и других плательщиков — заявленное, в день услуги',
  accepted:
    'Доля страховых и других плательщиков — принятое ими и перенесённое на пациента, в месяце услуги; ответ, пришедший после закрытия этого месяца, — в месяце ответа',
}

export const registryLineStates = {
  claimed: 'Заявлена',
  accepted: 'Принята',
  cut: 'Снята',
  reissued: 'Переотправлена',
} as const
export type RegistryLineState = keyof typeof registryLineStates

/** Columns of a registry's table, in the order of the template. */
export const registryColumns = {
  number: '№',
  policy: 'Полис',
  fio: 'ФИО',
  birthday: 'Дата рождения',
  date: 'Дата услуги',
  code: 'Код услуги',
  service: 'Услуга',
  diagnosis: 'Диагноз',
  doctor: 'Врач',
  qty: 'Количество',
  price: 'Цена',
  sum: 'Сумма',
  letter: 'Гарантийное письмо',
} as const
export type RegistryColumn = keyof typeof registryColumns
