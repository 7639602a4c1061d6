/** Setup steps from an empty database to a working clinic: contents, order, reasons. */

import type { PageKey } from '../../pages.ts'
import type { Permission } from '../../permissions.ts'

export interface StartStep {
  key: string
  title: string
  /** Reason in one sentence. */
  why: string
  /** Minutes it takes in a clinic of one branch. */
  minutes: number
  page: PageKey
  /** Query of the page's URL; `action` is the label of the button. */
  search?: Readonly<Record<string, string | true>>
  action: string
  /** Other pages of the step. */
  also?: readonly PageKey[]
  any: readonly Permission[]
  /** Required before the first visit. */
  needed?: true
}

const NEW = { open: 'new' } as const

export const startSteps = [
  {
    key: 'organization',
    title: 'Организация и реквизиты',
    why: 'Её название, ИНН и лицензия стоят в договорах, чеках и справках.',
    minutes: 5,
    page: 'organizations',
    search: NEW,
    action: 'Завести организацию',
    also: ['company'],
    any: ['mainSettings'],
    needed: true,
  },
  {
    key: 'branch',
    title: 'Филиал, часы работы и кабинеты',
    why: 'По часам и часовому поясу филиала идут смены, записи и напоминания.',
    minutes: 5,
    page: 'newFilial',
    action: 'Добавить филиал',
    also: ['filials', 'workingCalendar'],
    any: ['mainSettings'],
    needed: true,
  },
  {
    key: 'staff',
    title: 'Сотрудники и роли',
    why: 'Каждый входит под своим именем и видит то, что нужно его работе. Список вставляют таблицей, пароли печатают листками.',
    minutes: 10,
    page: 'users',
    action: 'К сотрудникам',
    also: ['roles'],
    any: ['editUsers'],
    needed: true,
  },
  {
    key: 'services',
    title: 'Услуги и цены',
    why: 'Услугу выбирают при записи, её цена стоит в счёте и в чеке. Прайс вставляют таблицей или берут готовый набор.',
    minutes: 10,
    page: 'services',
    action: 'К услугам',
    also: ['priceLists'],
    any: ['editServices'],
    needed: true,
  },
  {
    key: 'performers',
    title: 'Кто что оказывает',
    why: 'На услугу записывают только к тем, кто её оказывает: по специальности или поимённо.',
    minutes: 5,
    page: 'services',
    action: 'Назначить исполнителей',
    any: ['editServices'],
    needed: true,
  },
  {
    key: 'schedule',
    title: 'Расписание врачей',
    why: 'Записать можно на время, когда врач принимает: смены заполняют по шаблону на месяцы вперёд.',
    minutes: 5,
    page: 'calendar',
    search: { view: 'shifts' },
    action: 'Заполнить смены',
    any: ['editShifts'],
    needed: true,
  },
  {
    key: 'desk',
    title: 'Касса',
    why: 'Без рабочего места кассы оплату не принять. Пока настоящей кассы нет, выберите в поле «Регистратор чеков» имитатор: чеки будут пробными.',
    minutes: 5,
    page: 'cashDesks',
    search: NEW,
    action: 'Добавить кассу',
    also: ['deskAgents'],
    any: ['mainSettings'],
    needed: true,
  },
  {
    key: 'papers',
    title: 'Согласия и печатные формы',
    why: 'Готовые договор, согласия и справки уже стоят в программе. Чтобы договор и акт имели силу, впишите в организации полное название, ОГРН, адрес, лицензию и подписанта.',
    minutes: 10,
    page: 'printTemplates',
    action: 'Проверить шаблоны',
    also: ['organizations', 'consentTemplates'],
    any: ['mainSettings'],
    needed: true,
  },
  {
    key: 'messages',
    title: 'Напоминания пациентам',
    why: 'О визите напоминает программа, а не администратор: неявок становится меньше.',
    minutes: 10,
    page: 'connections',
    action: 'Подключить СМС или почту',
    also: ['messageTemplates', 'chatChannels'],
    any: ['mainSettings'],
  },
  {
    key: 'telephony',
    title: 'Телефония',
    why: 'Карта пациента открывается, пока телефон звонит, а пропущенные звонки не теряются.',
    minutes: 15,
    page: 'connections',
    action: 'Подключить АТС',
    any: ['mainSettings'],
  },
  {
    key: 'site',
    title: 'Сайт, запись через него и чат',
    why: 'Пациенты находят цены и записываются сами, и ночью тоже.',
    minutes: 20,
    page: 'clientPages',
    action: 'Опубликовать сайт',
    also: ['clientTheme', 'domainmap'],
    any: ['mainSettings'],
  },
  {
    key: 'portal',
    title: 'Личный кабинет пациента',
    why: 'Пациент сам переносит визит, платит и скачивает заключения.',
    minutes: 5,
    page: 'clientSettings',
    action: 'Открыть кабинет',
    any: ['mainSettings'],
  },
  {
    key: 'trial',
    title: 'Пробная запись',
    why: 'Запишите себя, посмотрите, что видно коллегам, и удалите запись: дальше — настоящие пациенты.',
    minutes: 3,
    page: 'calendar',
    search: { book: true },
    action: 'Записать себя',
    any: ['createAppointments'],
  },
] as const satisfies readonly StartStep[]

export type StartKey = (typeof startSteps)[number]['key']
export const startKeys = startSteps.map(({ key }) => key) as [StartKey, ...StartKey[]]

/** State of a step set by users: `taken` or `skipped`. Completion is derived from the data. */
export const startStates = { taken: 'В работе', skipped: 'Отложен' } as const
export type StartState = keyof typeof startStates

interface Standing {
  key: StartKey
  done: boolean
  state: StartState | null
}

const isOver = ({ done, state }: Standing): boolean => done || state === 'skipped'

/** True when the clinic works: required steps are done, and a visit took place or no other step is open. */
export function clinicWorks(steps: readonly Standing[], visited: boolean): boolean {
  const needed = steps.filter(({ key }) => (startSteps as readonly StartStep[]).find((one) => one.key === key)?.needed)
  return needed.every(({ done }) => done) && (visited || steps.every(isOver))
}

/** The next step: the first that is neither done nor skipped. */
export const nextStep = <S extends Standing>(steps: readonly S[]): S | undefined => steps.find((one) => !isOver(one))

/** Minutes of the remaining steps. */
export const minutesLeft = (steps: readonly Standing[]): number =>
  startSteps
    .filter(({ key }) => steps.some((one) => one.key === key && !isOver(one)))
    .reduce((sum, { minutes }) => sum + minutes, 0)
