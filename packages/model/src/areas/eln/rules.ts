/**
 * Rules of a sick leave (ЭЛН), and when it needs other people. Pure, shared by client and server. Days are
 * `YYYY-MM-DD`, and both days of a period count. Terms come from the clinic's settings: the order of the ministry
 * changes (приказ № 1089н).
 */
import type { FieldError } from '../../check.ts'
import { formatDay } from '../../format.ts'
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
export const CONTINUES = '31'
const CAME_ABLE = '36'
const DIED = '34'
const DISABLED: readonly string[] = ['32', '33']

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

export interface Cared {
  fio: string
  birthday: string | null
  relation: string | null
  reason: string | null
  dateFrom: string | null
  dateTo: string | null
}

/** Facts from outside the sheet. */
export interface Around {
  limits: Limits
  patient: { snils: string | null; birthday: string | null; gender: 'none' | 'female' | 'male' }
  /** By user id; hasSnils: the employee's СНИЛС is known. */
  doctors: ReadonlyMap<number, { fio: string; hasSnils: boolean }>
  /** The patient's other valid sheets, and the one that it continues. */
  others: readonly {
    id: number
    lnCode: string | null
    workType: WorkType
    employer: string | null
    dateFrom: string
    dateTo: string
    /** The doctor who issued it. */
    doctor?: string | null
  }[]
  previous: { lnCode: string | null; dateTo: string | null; began: string } | null
}

export interface Fault extends FieldError {
  /** An error blocks signing; a warning is only shown. */
  level: 'error' | 'warning'
  /** Index of the period, from 0. */
  period?: number
  /** Another sheet that the message is about. */
  idOther?: number
}

/** All errors and warnings of a sheet. */
export function faultsOf(leave: Leave, all: readonly Period[], cared: readonly Cared[], around: Around): Fault[] {
  const periods = byDays(all)
  return [
    ...patientFaults(around),
    ...employerFaults(leave),
    ...periodFaults(leave, periods, around),
    ...chainFaults(leave, periods, around),
    ...reasonFaults(leave, periods, cared, around),
    ...detailFaults(leave, periods),
    ...resultFaults(leave, periods),
    ...overlapFaults(leave, periods, around),
  ]
}

const error = (field: string, message: string, period?: number): Fault => ({
  field,
  message,
  level: 'error',
  ...(period !== undefined && { period }),
})
const warning = (field: string, message: string, period?: number): Fault => ({
  ...error(field, message, period),
  level: 'warning',
})

function patientFaults({ patient }: Around): Fault[] {
  return [
    ...(patient.snils ? [] : [error('idCustomer', 'В карте пациента нет СНИЛС')]),
    ...(patient.birthday ? [] : [error('idCustomer', 'В карте пациента нет даты рождения')]),
    ...(patient.gender === 'none' ? [error('idCustomer', 'В карте пациента не указан пол')] : []),
  ]
}

const employerFaults = ({ employer }: Leave): Fault[] =>
  employer?.trim() ? [] : [error('employer', 'Укажите место работы')]

function periodFaults(leave: Leave, periods: readonly Period[], { limits, doctors }: Around): Fault[] {
  const [first] = periods
  if (!first) return [error('periods', 'Добавьте период нетрудоспособности')]
  const faults: Fault[] = []
  if (periods.length > MAX_PERIODS)
    faults.push(
      error('periods', 'На листке не больше трёх периодов: закройте его с кодом 31 и выдайте продолжение', MAX_PERIODS),
    )
  periods.forEach((period, at) => {
    const before = periods[at - 1]
    if (period.dateTo < period.dateFrom) faults.push(error('dateTo', 'Период кончается раньше, чем начинается', at))
    else if (before && period.dateFrom !== plusDays(before.dateTo, 1))
      faults.push(
        error(
          'dateFrom',
          period.dateFrom <= before.dateTo
            ? 'Период начинается раньше, чем кончается предыдущий'
            : 'Между периодами пропущены дни: следующий начинается назавтра после предыдущего',
          at,
        ),
      )
    const needs = needsChairman(first.dateFrom, period, leave, limits)
    const alone = daysAlone(period.post, limits)
    if (needs && period.idChairman === null)
      faults.push(error('idChairman', `Всего больше ${alone} дней: период подписывает и председатель ВК`, at))
    if (period.idChairman !== null && period.idChairman === period.idDoctor)
      faults.push(error('idChairman', 'Председатель ВК и лечащий врач — разные люди', at))
    if (needs && !isMaternity(leave.reason) && at > 0 && daysOf(period.dateFrom, period.dateTo) > limits.chairmanDays)
      faults.push(warning('dateTo', `ВК продлевает не больше чем на ${limits.chairmanDays} дней за раз`, at))
    for (const [field, id] of [
      ['idDoctor', period.idDoctor],
      ['idChairman', period.idChairman],
    ] as const) {
      const doctor = id === null ? undefined : doctors.get(id)
      if (doctor && !doctor.hasSnils) faults.push(error(field, `${doctor.fio}: в карточке сотрудника нет СНИЛС`, at))
    }
  })
  return faults
}

function chainFaults(
  { isPrimary, prevLnCode, reason, mseSent }: Leave,
  periods: readonly Period[],
  around: Around,
): Fault[] {
  const [first] = periods
  const { previous, limits } = around
  const faults: Fault[] = []
  if (!isPrimary && !prevLnCode) faults.push(error('prevLnCode', 'Продолжение: укажите номер предыдущего листка'))
  if (isPrimary && prevLnCode) faults.push(error('prevLnCode', 'У первичного листка нет предыдущего'))
  if (first && previous?.dateTo && first.dateFrom !== plusDays(previous.dateTo, 1))
    faults.push(error('dateFrom', 'Продолжение начинается назавтра после предыдущего листка', 0))
  const last = periods.at(-1)
  const began = previous?.began ?? first?.dateFrom
  if (began && last && !isMaternity(reason) && !mseSent && last.dateTo > mseDay(began, reason, limits))
    faults.push(warning('mseSent', 'Срок лечения вышел: направьте пациента на МСЭ'))
  return faults
}

function reasonFaults(leave: Leave, periods: readonly Period[], cared: readonly Cared[], { patient }: Around): Fault[] {
  const { reason, birthPlanned, diagnosis, isPregnancy12w } = leave
  if (!reason) return [error('reason', 'Укажите причину нетрудоспособности')]
  const faults: Fault[] = []
  const [first, last] = [periods[0], periods.at(-1)]
  if (isMaternity(reason)) {
    if (!birthPlanned) faults.push(error('birthPlanned', 'Укажите предполагаемую дату родов'))
    if (patient.gender === 'male') faults.push(error('reason', 'Отпуск по беременности и родам у мужчины не бывает'))
    const days = first && last ? daysOf(first.dateFrom, last.dateTo) : 0
    if (days > 0 && !maternityDays.includes(days))
      faults.push(
        warning('reason', `Отпуск по беременности и родам бывает ${maternityDays.join(', ')} дней, а здесь ${days}`),
      )
  } else if (!diagnosis && !isCare(reason)) faults.push(error('diagnosis', 'Укажите диагноз'))
  if (isPregnancy12w && patient.gender === 'male') faults.push(error('isPregnancy12w', 'Это отметка для женщин'))
  if (isCare(reason) && cared.length === 0) faults.push(error('care', 'Добавьте, за кем ухаживают'))
  if (!isCare(reason) && cared.length > 0)
    faults.push(error('care', 'За кем ухаживают, пишут при уходе: коды 09, 12–15'))
  for (const one of cared) {
    if (!one.birthday) faults.push(error('care', `${one.fio}: нужна дата рождения`))
    if (!one.relation) faults.push(error('care', `${one.fio}: укажите, кем приходится`))
    const [from, to] = [one.dateFrom, one.dateTo]
    if (from && to && to < from) faults.push(error('care', `${one.fio}: уход кончается раньше, чем начинается`))
    if (first && last && ((from && from < first.dateFrom) || (to && to > last.dateTo)))
      faults.push(error('care', `${one.fio}: дни ухода выходят за периоды листка`))
  }
  return faults
}

function detailFaults(leave: Leave, periods: readonly Period[]): Fault[] {
  const { hospitalFrom, hospitalTo, breachCode, breachDate, mseSent, mseRegistered, mseDone, mseGroup } = leave
  const faults: Fault[] = []
  const [first, last] = [periods[0], periods.at(-1)]
  if (!hospitalFrom !== !hospitalTo) faults.push(error('hospitalTo', 'В стационаре: нужны оба дня или ни одного'))
  if (hospitalFrom && hospitalTo && hospitalTo < hospitalFrom)
    faults.push(error('hospitalTo', 'Выписан раньше, чем поступил'))
  if (hospitalFrom && hospitalTo && first && last && (hospitalFrom < first.dateFrom || hospitalTo > last.dateTo))
    faults.push(warning('hospitalFrom', 'Дни в стационаре выходят за периоды листка'))
  if (!breachCode !== !breachDate) faults.push(error('breachDate', 'Нарушение режима: нужны и код, и дата'))
  if (breachDate && first && breachDate < first.dateFrom) faults.push(error('breachDate', 'Нарушение раньше болезни'))
  if (mseRegistered && !mseSent) faults.push(error('mseSent', 'Укажите, когда направили на МСЭ'))
  if (mseSent && mseRegistered && mseRegistered < mseSent)
    faults.push(error('mseRegistered', 'МСЭ приняла документы раньше направления'))
  if (mseDone && mseRegistered && mseDone < mseRegistered)
    faults.push(error('mseDone', 'Освидетельствован раньше, чем приняты документы'))
  if (mseGroup !== null && !mseDone) faults.push(error('mseDone', 'Группу устанавливают в день освидетельствования'))
  return faults
}

function resultFaults({ resultCode, resultDate, workFrom, mseSent }: Leave, periods: readonly Period[]): Fault[] {
  const next = nextStart(periods)
  if (!resultCode && !workFrom) return []
  if (!next) return []
  const faults: Fault[] = []
  if (resultCode === CONTINUES && workFrom)
    faults.push(error('workFrom', 'Продолжает болеть: приступить к работе не может'))
  if (resultCode === DIED && workFrom) faults.push(error('workFrom', 'У умершего этого дня нет'))
  if (resultCode && !workFrom && resultCode !== CONTINUES && !resultDate)
    faults.push(error('resultDate', 'Укажите день, к которому относится этот исход'))
  // A patient who came able to work but late starts on the day of coming.
  if (workFrom && resultCode !== CAME_ABLE && workFrom !== next)
    faults.push(error('workFrom', 'К работе приступают назавтра после последнего дня листка'))
  if (workFrom && resultCode === CAME_ABLE && workFrom < next)
    faults.push(error('workFrom', 'Раньше, чем кончается листок'))
  if (resultCode && DISABLED.includes(resultCode) && !mseSent)
    faults.push(error('mseSent', 'Инвалидность устанавливает МСЭ: укажите, когда направили'))
  return faults
}

/** Another sheet for the same days must be for another job, and one of the two must be a secondary one. */
function overlapFaults({ workType, employer }: Leave, periods: readonly Period[], { others }: Around): Fault[] {
  const [first, last] = [periods[0], periods.at(-1)]
  if (!first || !last) return []
  const same = (text: string | null) => (text ?? '').trim().toLocaleLowerCase('ru')
  return others
    .filter((one) => one.dateFrom <= last.dateTo && one.dateTo >= first.dateFrom)
    .filter((one) => (one.workType === 'main' && workType === 'main') || same(one.employer) === same(employer))
    .map((one) => ({
      ...error(
        'dateFrom',
        `Эти дни уже стоят на листке ${one.lnCode ?? 'без номера'} (${formatDay(one.dateFrom)} — ${formatDay(one.dateTo)}${one.doctor ? `, ${one.doctor}` : ''}): второй бывает только по совместительству, для другого работодателя${one.lnCode ? '' : '. Ненужный черновик удалите'}`,
        0,
      ),
      idOther: one.id,
    }))
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
