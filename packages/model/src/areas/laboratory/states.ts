/**
 * Transitions of orders, their lines and samples, and the rights they need (screens.md §8). The server enforces them;
 * the screens offer the allowed ones.
 */
import type { Permission } from '../../permissions.ts'

export const orderStatuses = {
  draft: 'Черновик',
  placed: 'Оформлен',
  taken: 'Биоматериал взят',
  sent: 'Отправлен',
  inWork: 'В работе',
  partial: 'Частично готов',
  done: 'Готов',
  issued: 'Выдан',
  cancelled: 'Отменён',
  rejected: 'Брак',
} as const
export type OrderStatus = keyof typeof orderStatuses

export const orderSteps = {
  place: { from: ['draft'], to: 'placed', right: 'orderLaboratory', else: 'Заказ уже оформлен' },
  take: {
    from: ['placed', 'taken', 'partial', 'inWork', 'sent', 'rejected'],
    to: 'taken',
    right: 'takeLabSamples',
    else: 'Биоматериал берут по оформленному заказу',
  },
  send: {
    from: ['taken', 'rejected', 'partial', 'inWork', 'sent'],
    to: 'sent',
    right: 'takeLabSamples',
    else: 'Отправляют взятый биоматериал',
  },
  begin: {
    from: ['taken', 'sent', 'inWork', 'partial', 'rejected'],
    to: 'inWork',
    right: 'takeLabSamples',
    else: 'В работу принимают взятый биоматериал',
  },
  reject: {
    from: ['taken', 'sent', 'inWork', 'partial', 'rejected'],
    to: 'rejected',
    right: 'takeLabSamples',
    else: 'Забраковать можно взятый биоматериал',
  },
  report: {
    from: ['inWork', 'partial', 'sent', 'taken'],
    to: 'done',
    right: 'approveLabResults',
    else: 'Результаты проверяют по заказу в работе',
  },
  issue: { from: ['done', 'partial', 'issued'], to: 'issued', right: 'issueLabResults', else: 'Выдают готовый заказ' },
  cancel: {
    from: ['draft', 'placed', 'taken', 'sent', 'rejected'],
    to: 'cancelled',
    right: 'orderLaboratory',
    else: 'Заказ в работе не отменяют: исследование уже делается',
  },
} as const satisfies Record<string, { from: readonly OrderStatus[]; to: OrderStatus; right: Permission; else: string }>
export type OrderStep = keyof typeof orderSteps

/** Error of a step in this state of an order; undefined: allowed. */
export const wrongOrderStep = (step: OrderStep, status: OrderStatus): string | undefined =>
  (orderSteps[step].from as readonly OrderStatus[]).includes(status) ? undefined : orderSteps[step].else

export const itemStatuses = {
  planned: 'Ждёт взятия',
  taken: 'Взят',
  sent: 'Отправлен',
  inWork: 'В работе',
  done: 'Готово',
  rejected: 'Брак',
  cancelled: 'Отменено',
} as const
export type ItemStatus = keyof typeof itemStatuses

/**
 * State of a placed order by its lines: the least advanced line decides; partly ready is «Частично готов».
 * @param issued true after the results were issued; kept only while all lines are ready
 */
export function orderStatusOf(items: readonly ItemStatus[], issued: boolean): OrderStatus {
  const left = items.filter((status) => status !== 'cancelled')
  if (left.length === 0) return 'cancelled'
  const has = (status: (typeof left)[number]) => left.includes(status)
  if (left.every((status) => status === 'done')) return issued ? 'issued' : 'done'
  if (has('done')) return 'partial'
  if (has('rejected')) return 'rejected'
  if (has('inWork')) return 'inWork'
  if (has('sent')) return 'sent'
  return left.every((status) => status === 'taken') ? 'taken' : 'placed'
}

export const sampleStatuses = {
  planned: 'Ждёт взятия',
  taken: 'Взята',
  packed: 'Упакована',
  shipped: 'В пути',
  received: 'Получена',
  inWork: 'В работе',
  archived: 'В архиве',
  disposed: 'Утилизирована',
  rejected: 'Брак',
} as const
export type SampleStatus = keyof typeof sampleStatuses

export const rejectReasons = {
  hemolysis: 'Гемолиз',
  lipemia: 'Хилёз',
  clot: 'Сгусток',
  little: 'Мало материала',
  tube: 'Не та пробирка',
  label: 'Нет маркировки',
  expired: 'Срок',
  temperature: 'Температура',
} as const
export type RejectReason = keyof typeof rejectReasons

/** Steps of a tube by scanning. */
export const sampleSteps = {
  take: { label: 'Взять', from: ['planned'], to: 'taken' },
  pack: { label: 'Упаковать', from: ['taken'], to: 'packed' },
  unpack: { label: 'Вынуть', from: ['packed'], to: 'taken' },
  ship: { label: 'Отправить', from: ['packed'], to: 'shipped' },
  receive: { label: 'Принять', from: ['taken', 'packed', 'shipped'], to: 'received' },
  begin: { label: 'В работу', from: ['taken', 'received', 'archived'], to: 'inWork' },
  archive: { label: 'В архив', from: ['received', 'inWork'], to: 'archived' },
  dispose: { label: 'Утилизировать', from: ['archived', 'rejected', 'inWork', 'received'], to: 'disposed' },
  reject: { label: 'Забраковать', from: ['taken', 'packed', 'shipped', 'received', 'inWork'], to: 'rejected' },
} as const satisfies Record<string, { label: string; from: readonly SampleStatus[]; to: SampleStatus }>
export type SampleStep = keyof typeof sampleSteps

/** Error of a step in this state of a tube, for a scanner's screen; undefined: allowed. */
export function wrongSampleStep(step: SampleStep, status: SampleStatus): string | undefined {
  const { from, to } = sampleSteps[step]
  if ((from as readonly SampleStatus[]).includes(status)) return undefined
  if (status === to) return `Уже: ${sampleStatuses[status].toLowerCase()}`
  if (status === 'planned') return 'Проба ещё не взята'
  if (status === 'rejected') return 'Проба забракована'
  if (status === 'disposed') return 'Проба утилизирована'
  return `Нельзя: проба «${sampleStatuses[status].toLowerCase()}»`
}

/** State of a tube's lines after its step; undefined: unchanged. */
export const itemAfter: { readonly [S in SampleStatus]?: ItemStatus } = {
  taken: 'taken',
  shipped: 'sent',
  received: 'inWork',
  inWork: 'inWork',
  rejected: 'rejected',
}

export const resultStatuses = {
  raw: 'Получен',
  technical: 'Проверен технически',
  medical: 'Подтверждён врачом',
  corrected: 'Исправлен',
  dropped: 'Не принят',
} as const
export type ResultStatus = keyof typeof resultStatuses

export const valueSources = { device: 'Прибор', hand: 'Вручную', formula: 'Формула', partner: 'Партнёр' } as const
export type ValueSource = keyof typeof valueSources

/** Why a value lost its place; it stays beside, struck. */
export const dropReasons = {
  anew: 'Измерить заново',
  choice: 'Выбрано другое',
  hand: 'Введено другое',
  device: 'Прибор прислал новое',
  late: 'Предварительное пришло после окончательного',
  withdrawn: 'Прибор отозвал',
  tube: 'Пробирка забракована',
  formula: 'Пересчитано',
  review: 'Пересмотрено',
} as const
export type DropReason = keyof typeof dropReasons

/** Why an approver looks at a published value again. */
export const reviewReasons = {
  card: 'Изменилась карта или заказ',
  sources: 'Изменились показатели формулы',
  device: 'Прибор прислал другое значение',
  withdrawn: 'Прибор отозвал значение',
  tube: 'Пробирка забракована',
} as const
export type ReviewReason = keyof typeof reviewReasons

/**
 * Why a value may not be of this tube; undefined: it may. A value belongs to a tube that was taken and is good.
 * @param own false: the analyte is measured in another tube of the order
 */
export function wrongTube(status: SampleStatus, own: boolean): keyof typeof tubeFaults | undefined {
  if (status === 'planned') return 'notTaken'
  if (status === 'rejected') return 'rejected'
  if (status === 'disposed') return 'disposed'
  return own ? undefined : 'wrongTube'
}
export const tubeFaults = {
  wrongTube: 'Не та пробирка',
  notTaken: 'Пробирка не взята',
  rejected: 'Пробирка отклонена',
  disposed: 'Пробирка утилизирована',
} as const

/** States of published results: every output checks this. */
export const isPublished = (status: ResultStatus): boolean => status === 'medical' || status === 'corrected'

export const cancelReasons = {
  patient: 'Отказ пациента',
  mistake: 'Оформлен по ошибке',
  notNeeded: 'Исследование не нужно',
  noMaterial: 'Не удалось взять биоматериал',
  laboratory: 'Лаборатория не выполняет',
} as const
export type CancelReason = keyof typeof cancelReasons
