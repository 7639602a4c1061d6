/**
 * Rules of a sick leave (ЭЛН), and when it needs other people. Pure, shared by client and server. Days are
 * `YYYY-MM-DD`, and both days of a period count. Terms come from the clinic's settings: the order of the ministry
 * changes (приказ № 1089н).
 */
import { plusDays } from '../../zone.ts'

/** States of a sheet by the Social Fund's codes. */
export const sfrStates = {
  '010': 'Открыт',
  '020': 'Продлён',
  '030': 'Закрыт',
  '040': 'Направлен на МСЭ',
  '050': 'Дополнен данными МСЭ',
  '060': 'Заполнен страхователем',
  '070': 'Заполнен страхователем (реестр ПВСО)',
  '080': 'Пособие выплачено',
  '090': 'Действия прекращены',
} as const
export type SfrState = keyof typeof sfrStates

/** True while the clinic has work with a sheet in this state; null: the Social Fund does not have it yet. */
export const isOpenState = (state: SfrState | null): boolean =>
  state === null || ['010', '020', '040', '050'].includes(state)

export const localStatuses = {
  draft: 'Черновик',
  toSign: 'На подписи',
  sent: 'Отправлен',
  accepted: 'Принят СФР',
  rejected: 'Отклонён СФР',
  dispute: 'Изменён в СФР',
} as const
export type LocalStatus = keyof typeof localStatuses

export const workTypes = { main: 'Основное место работы', second: 'По совместительству' } as const
export type WorkType = keyof typeof workTypes

/** Periods of one sheet, by the format of the Social Fund: a fourth period needs a continuation sheet. */
export const MAX_PERIODS = 3
/** Cared-for persons of one sheet. */
export const MAX_CARED = 10
/** Numbers per request to the Social Fund. */
export const MAX_NUMBERS = 1000

/** Codes that affect the rules; all others are only names of the dictionaries. */
const MATERNITY = '05'
const CARE: readonly string[] = ['09', '12', '13', '14', '15']
const LONG: readonly string[] = ['02', '04', '11']

export const isMaternity = (reason: string | null): boolean => reason === MATERNITY
export const isCare = (reason: string | null): boolean => reason !== null && CARE.includes(reason)

/** Days of a leave for pregnancy and birth: usual, with complications, several children. */
export const maternityDays: readonly number[] = [140, 156, 194]

/** The terms of the clinic's settings. */
export interface Limits {
  /** Days that a doctor, and a feldsher or a dentist without a doctor's diploma, may certify alone. */
  doctorDays: number
  feldsherDays: number
  /** Posts that count as feldsher, in lower case. */
  feldsherPosts: readonly string[]
  /** Days that the commission may certify at a time. */
  chairmanDays: number
  /** Months until the referral to МСЭ: usual, and after an injury, tuberculosis, reconstructive surgery. */
  mseMonths: number
  mseLongMonths: number
}

export interface Period {
  dateFrom: string
  dateTo: string
  idDoctor: number
  idChairman: number | null
  /** Post of the doctor. */
  post: string | null
}

/** Both days count; less than 1 if the second is earlier. */
export const daysOf = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1

export const byDays = <P extends Pick<Period, 'dateFrom'>>(periods: readonly P[]): P[] =>
  periods.toSorted((a, b) => (a.dateFrom < b.dateFrom ? -1 : a.dateFrom > b.dateFrom ? 1 : 0))

/** The day after the last period: first day of the next one. */
export const nextStart = (periods: readonly Pick<Period, 'dateTo'>[]): string | undefined => {
  const last = periods
    .map(({ dateTo }) => dateTo)
    .toSorted()
    .at(-1)
  return last === undefined ? undefined : plusDays(last, 1)
}

/** Days that an employee of this post certifies without the commission. */
export const daysAlone = (post: string | null, limits: Limits): number => {
  const words = post?.toLocaleLowerCase('ru') ?? ''
  return limits.feldsherPosts.some((one) => one !== '' && words.includes(one.toLocaleLowerCase('ru')))
    ? limits.feldsherDays
    : limits.doctorDays
}

/** Facts of a sheet that affect its periods. */
export interface Case {
  reason: string | null
  /** Days of the earlier sheets of the case. */
  daysBefore: number
}

/**
 * The last day that a doctor of this post certifies alone in a case that begins with `first` on this sheet; undefined:
 * not even that day. A leave for pregnancy and birth has no limit.
 */
export function aloneUntil(first: string, post: string | null, { reason, daysBefore }: Case, limits: Limits) {
  if (isMaternity(reason)) return '9999-12-31'
  const left = daysAlone(post, limits) - daysBefore
  return left > 0 ? plusDays(first, left - 1) : undefined
}

/**
 * True when a period needs the signature of the commission's (ВК) chairman beside the doctor's. @param first day of the
 * sheet
 */
export function needsChairman(
  first: string,
  { dateTo, post }: Pick<Period, 'dateTo' | 'post'>,
  of: Case,
  limits: Limits,
) {
  const until = aloneUntil(first, post, of, limits)
  return until === undefined || dateTo > until
}

/** Last day for the referral to МСЭ. @param began the first day of the whole case */
export function mseDay(began: string, reason: string | null, limits: Limits): string {
  const months = reason !== null && LONG.includes(reason) ? limits.mseLongMonths : limits.mseMonths
  const day = new Date(`${began}T00:00:00Z`)
  const date = day.getUTCDate()
  day.setUTCDate(1)
  day.setUTCMonth(day.getUTCMonth() + months)
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  day.setUTCDate(Math.min(date, last))
  return day.toISOString().slice(0, 10)
}

/** Facts of a sheet besides its periods. */
export interface Leave extends Case {
  employer: string | null
  workType: WorkType
  isPrimary: boolean
  prevLnCode: string | null
  diagnosis: string | null
  isPregnancy12w: boolean
  birthPlanned: string | null
  hospitalFrom: string | null
  hospitalTo: string | null
  breachCode: string | null
  breachDate: string | null
  mseSent: string | null
  mseRegistered: string | null
  mseDone: string | null
  mseGroup: number | null
  resultCode: string | null
  resultDate: string | null
  workFrom: string | null
}

/** State code of a sheet to send. */
export function stateToSend(
  leave: Pick<Leave, 'resultCode' | 'workFrom' | 'mseSent' | 'mseDone'>,
  periods: number,
): SfrState {
  if (leave.workFrom || leave.resultCode) return '030'
  if (leave.mseDone) return '050'
  if (leave.mseSent) return '040'
  return periods > 1 ? '020' : '010'
}

export const dueKinds = {
  overdue: 'Просрочен',
  today: 'Последний день',
  chairman: 'Нужна ВК',
  dispute: 'Разобрать расхождение',
  rejected: 'Исправить отказ',
  former: 'Прекратить: выдан дубликат',
  sign: 'Подписать',
  none: 'Ничего',
} as const
export type DueKind = keyof typeof dueKinds

/** Facts of a sheet for lists. */
export interface DueFacts {
  localStatus: LocalStatus
  stateSfr: SfrState | null
  isClosed: boolean
  dateTo: string | null
  /** Last day that the doctor certifies without the commission. */
  aloneUntil: string | null
  /** The Social Fund has accepted its duplicate, and this sheet is still valid there. */
  isReplaced: boolean
}

/** The most urgent task of a sheet on a day. The server's SQL must stay equal to this. */
export function dueOf(leave: DueFacts, today: string): DueKind {
  const { localStatus, stateSfr, isClosed, dateTo, aloneUntil: until, isReplaced } = leave
  if (localStatus === 'dispute') return 'dispute'
  if (localStatus === 'rejected') return 'rejected'
  if (isReplaced && localStatus !== 'sent') return 'former'
  const isOpen = isOpenState(stateSfr) && !isClosed
  if (isOpen && dateTo !== null && dateTo < today) return 'overdue'
  if (isOpen && dateTo === today) return until !== null && until <= today ? 'chairman' : 'today'
  if (localStatus === 'toSign') return 'sign'
  return 'none'
}

/** True when a code is in a group of hidden diagnoses: «F00-F99». */
const inGroup = (code: string, group: string): boolean => {
  const found = /^([A-Z]\d\d)(?:\s*[-–]\s*([A-Z]\d\d))?$/.exec(group.trim().toUpperCase())
  const category = code.slice(0, 3)
  return found !== null && category >= (found[1] as string) && category <= (found[2] ?? (found[1] as string))
}

/** Sent instead of a hidden diagnosis. */
export const MASK = '000'

/** Diagnosis to send. @param hidden groups from the clinic's settings */
export const sentDiagnosis = (code: string, hidden: readonly string[]): string =>
  hidden.some((group) => inGroup(code, group)) ? MASK : code

/** «123 456 789 012»: grouped digits of a sheet's number. */
export const numberText = (lnCode: string): string => lnCode.replace(/(\d{3})(?=\d)/g, '$1 ')
export const isNumber = (text: string): boolean => /^\d{12}$/.test(text)

export type LeaveStep =
  | 'change'
  | 'extend'
  | 'close'
  | 'ready'
  | 'sign'
  | 'send'
  | 'next'
  | 'duplicate'
  | 'cancel'
  | 'settle'

/** Error of a step in the current state; undefined: allowed. */
export function stepRefusal(
  step: LeaveStep,
  {
    localStatus,
    stateSfr,
    isClosed,
    lnCode,
  }: Pick<DueFacts, 'localStatus' | 'stateSfr' | 'isClosed'> & { lnCode: string | null },
): string | undefined {
  const known = stateSfr !== null
  if (step === 'settle') return localStatus === 'dispute' ? undefined : 'Расхождения с СФР нет'
  if (localStatus === 'sent') return 'Листок отправлен: дождитесь ответа СФР'
  if (stateSfr === '090') return 'Действие листка прекращено'
  if (localStatus === 'dispute') return 'Листок изменён в СФР: сначала разберите расхождение'
  if (step === 'duplicate' || step === 'cancel')
    return known ? undefined : 'СФР ещё не знает этот листок: черновик можно удалить'
  if (step === 'next')
    return isClosed && known ? undefined : 'Продолжение выдают к закрытому листку, который принял СФР'
  if (step === 'sign' || step === 'send')
    return localStatus === 'toSign' ? undefined : 'Сначала отдайте листок на подпись'
  if (!isOpenState(stateSfr)) return 'Листок закрыт в СФР: исправляют его дубликатом'
  if (step === 'extend' || step === 'close') {
    if (isClosed) return 'Листок уже закрыт'
    return step === 'extend' && lnCode === null && localStatus === 'toSign' ? 'Листок на подписи' : undefined
  }
  return undefined
}
