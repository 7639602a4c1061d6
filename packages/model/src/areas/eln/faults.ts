/** Faults of a sick leave before it is sent. */
import type { FieldError } from '../../check.ts'
import { formatDay } from '../../format.ts'
import { plusDays } from '../../zone.ts'
import {
  byDays,
  daysAlone,
  daysOf,
  isCare,
  isMaternity,
  type Leave,
  type Limits,
  MAX_PERIODS,
  maternityDays,
  mseDay,
  needsChairman,
  nextStart,
  type Period,
  type WorkType,
} from './rules.ts'

export const CONTINUES = '31'
const CAME_ABLE = '36'
const DIED = '34'
const DISABLED: readonly string[] = ['32', '33']

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
