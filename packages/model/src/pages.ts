import { type Actor, type Gate, type Refusal, refusal } from './access.ts'
import { oldCrmAddress } from './oldCrm.ts'
import type { Permission } from './permissions.ts'
import { gateOf } from './tariff.ts'

/**
 * One screen of the product. The list below feeds the router, the menu, the palette and the guards,
 * so a screen is added in one place. Only screens that work stand here.
 */
export interface Page extends Gate {
  key: string
  /** Under /app, with `:name` for a parameter; '' is the dashboard. */
  path: string
  title: string
  /** One line under the title; the palette searches it too. */
  help: string
  section?: PageSection
  /** Key of the icon; the web maps it to a picture. */
  icon?: string
  /** Stands in the left menu. */
  menu?: boolean
  /** Path of the entity whose registry this is: a page that has no screen of its own gets it from the declaration. */
  entity?: string
  /** Pages that stand side by side: each shows the way to the others. */
  family?: PageFamily
  /** What is made here, by `?open=new`: the palette offers it from anywhere to whoever holds one of these. */
  makes?: { label: string; any: readonly Permission[] }
  /** Means nothing without what a link to it carries: no menu and no search offers it. */
  linked?: boolean
  /** Opens without sign-in. */
  public?: boolean
  /** Key of the page that this is where an older CRM answers that one's path; offered only there. */
  insteadOf?: string
}

export const pageSections = {
  work: 'Работа',
  clients: 'Клиенты',
  sales: 'Продажи',
  clinic: 'Клиника',
  content: 'Контент',
  staff: 'Сотрудники',
  system: 'Система',
} as const

export const pageFamilies = {
  salesLists: 'Справочники продаж',
  catalogue: 'Каталог',
  discounts: 'Скидки',
  journal: 'Журнал',
} as const
export type PageFamily = keyof typeof pageFamilies

export type PageSection = keyof typeof pageSections

export const pages = [
  {
    key: 'dashboard',
    path: '',
    title: 'Рабочий стол',
    help: 'Что требует внимания сегодня',
    icon: 'dashboard',
    menu: true,
  },
  {
    key: 'tasks',
    path: 'tasks',
    title: 'Задачи',
    help: 'Рабочие пространства, доски и поручения',
    section: 'work',
    icon: 'tasks',
    any: ['viewTasksManagement'],
    menu: true,
  },
  {
    key: 'myTasks',
    path: 'tasks/mine',
    title: 'Мои задачи',
    help: 'Задачи всех пространств, где вы исполнитель или ответственный',
    section: 'work',
    icon: 'myTasks',
    any: ['viewTasksManagement'],
    menu: true,
    makes: { label: 'Новая задача', any: ['viewTasksManagement'] },
  },
  {
    key: 'invitation',
    path: 'tasks/invitation',
    title: 'Приглашение',
    help: 'Вступление в рабочее пространство по ссылке',
    linked: true,
    section: 'work',
    icon: 'tasks',
    any: ['viewTasksManagement'],
  },
  {
    key: 'calendar',
    path: 'calendar',
    title: 'Расписание',
    help: 'Записи по врачам и кабинетам, неделя врача, загрузка месяца, смены',
    section: 'clients',
    icon: 'calendar',
    any: ['viewCalendar', 'viewAllAppointments'],
    menu: true,
  },
  {
    key: 'daySheet',
    path: 'calendar/day-sheet',
    title: 'Лист дня',
    help: 'Кто придёт, кто пришёл, кто ждёт и опаздывает',
    section: 'clients',
    icon: 'daySheet',
    any: ['viewCalendar', 'viewAllAppointments'],
    menu: true,
  },
  {
    key: 'customers',
    path: 'customers',
    title: 'Клиенты',
    help: 'Карты клиентов: поиск по имени, телефону, почте, дате рождения и документам',
    section: 'clients',
    icon: 'customers',
    any: ['viewCustomers'],
    menu: true,
    makes: { label: 'Новый клиент', any: ['editCustomers'] },
  },
  {
    key: 'customer',
    path: 'customers/edit',
    title: 'Карта клиента',
    help: 'Данные, документы, адреса, представители и файлы клиента',
    linked: true,
    section: 'clients',
    icon: 'customers',
    any: ['viewCustomers'],
  },
  {
    key: 'calls',
    path: 'journal/calls',
    title: 'Звонки',
    help: 'Все разговоры и пропущенные звонки: кто, когда, сколько ждал, записи',
    section: 'clients',
    icon: 'calls',
    any: ['viewCallJournal'],
    menu: true,
    entity: 'calls',
    family: 'journal',
  },
  {
    key: 'appeals',
    path: 'journal/appeals',
    title: 'Обращения',
    help: 'С чем обращаются пациенты, кто отвечает и чем кончилось',
    section: 'clients',
    icon: 'appeals',
    any: ['viewAppeals'],
    menu: true,
    entity: 'appeals',
    family: 'journal',
    makes: { label: 'Новое обращение', any: ['editAppeals'] },
  },
  {
    key: 'appealCauses',
    path: 'journal/appeals/causes',
    title: 'Причины обращений',
    help: 'По ним разбирают, с чем обращаются',
    section: 'clients',
    icon: 'lists',
    any: ['viewAppeals'],
    entity: 'appeals/causes',
    family: 'journal',
  },
  {
    key: 'appeal',
    path: 'journal/appeals/:id',
    title: 'Обращение',
    help: 'Суть, итог и следующий шаг одного обращения',
    section: 'clients',
    icon: 'appeals',
    any: ['viewAppeals'],
  },
  {
    key: 'cash',
    path: 'cash',
    title: 'Касса',
    help: 'Приём оплаты и возвраты, чеки, смена',
    section: 'clients',
    icon: 'cash',
    any: ['takePayments', 'refundPayments', 'cashInOut', 'viewCashDesk'],
    menu: true,
  },
  {
    key: 'customerSources',
    path: 'customers/sources',
    title: 'Источники клиентов',
    help: 'Откуда клиенты узнают о клинике',
    section: 'clients',
    icon: 'lists',
    any: ['viewCustomers'],
    entity: 'customer-sources',
  },
  {
    key: 'accessLog',
    path: 'customers/access-log',
    title: 'Журнал доступа',
    help: 'Кто, когда и с чьими данными работал: просмотры, поиск, изменения, выгрузки',
    section: 'system',
    icon: 'accessLog',
    any: ['viewAccessLog'],
    menu: true,
  },
  {
    key: 'deals',
    path: 'deals',
    title: 'Сделки',
    help: 'Воронка продаж: этапы, суммы, следующие шаги',
    section: 'sales',
    icon: 'deals',
    any: ['viewSalesManagement', 'editSalesManagement'],
    menu: true,
    makes: { label: 'Новая сделка', any: ['editSalesManagement'] },
  },
  {
    key: 'funnels',
    path: 'funnels',
    title: 'Воронки',
    help: 'Этапы сделок, их правила, автоматизация и скрипты',
    section: 'sales',
    icon: 'funnels',
    any: ['viewSalesManagement', 'editSalesManagement'],
    menu: true,
  },
  {
    key: 'funnel',
    path: 'funnels/:id',
    title: 'Воронка',
    help: 'Этапы воронки, условия перехода и действия',
    section: 'sales',
    icon: 'funnels',
    any: ['viewSalesManagement', 'editSalesManagement'],
  },
  {
    key: 'dealRequests',
    path: 'deals/requests',
    title: 'Неразобранное',
    help: 'Заявки с сайта и из других систем, которые ещё не стали сделками',
    section: 'sales',
    icon: 'dealRequests',
    any: ['viewSalesManagement', 'editSalesManagement'],
    menu: true,
  },
  {
    key: 'funnelAnalytics',
    path: 'deals/analytics',
    title: 'Аналитика воронки',
    help: 'Конверсия, время на этапах, успехи и отказы, прогноз',
    section: 'sales',
    icon: 'dealAnalytics',
    any: ['viewSalesManagement', 'editSalesManagement'],
  },
  {
    key: 'dealAnalytics',
    path: 'deals/:id/analytics',
    title: 'Аналитика сделки',
    help: 'Время на этапах, перемещения и суммы одной сделки',
    section: 'sales',
    icon: 'dealAnalytics',
    any: ['viewSalesManagement', 'editSalesManagement'],
  },
  {
    key: 'salesSources',
    path: 'deals/sources',
    title: 'Источники',
    help: 'Откуда приходят сделки',
    section: 'sales',
    icon: 'lists',
    any: ['viewSalesManagement', 'editSalesManagement'],
    entity: 'sales-management/sources',
    family: 'salesLists',
  },
  {
    key: 'lossReasons',
    path: 'deals/loss-reasons',
    title: 'Причины отказа',
    help: 'Почему сделки не состоялись',
    section: 'sales',
    icon: 'lists',
    any: ['viewSalesManagement', 'editSalesManagement'],
    entity: 'sales-management/loss-reasons',
    family: 'salesLists',
  },
  {
    key: 'serviceReasons',
    path: 'deals/service-reasons',
    title: 'Причины по услугам',
    help: 'Почему услугу предложения отменили или отложили',
    section: 'sales',
    icon: 'lists',
    any: ['viewSalesManagement', 'editSalesManagement'],
    entity: 'sales-management/offer-service-reason',
    family: 'salesLists',
  },
  {
    key: 'companies',
    path: 'deals/companies',
    title: 'Компании',
    help: 'Кто платит за пациентов или направляет их',
    section: 'sales',
    icon: 'lists',
    any: ['viewSalesManagement', 'editSalesManagement'],
    entity: 'sales-management/companies',
    family: 'salesLists',
  },
  {
    key: 'discounts',
    path: 'discounts',
    title: 'Скидки',
    help: 'Что, когда, на что и кому даёт клиника: проценты, суммы, промокоды, накопления, подарки',
    section: 'sales',
    icon: 'discounts',
    any: ['viewDiscounts'],
    menu: true,
    entity: 'discounts',
    family: 'discounts',
    makes: { label: 'Новая скидка', any: ['editDiscounts'] },
  },
  {
    key: 'newDiscount',
    path: 'discount/create',
    title: 'Новая скидка',
    help: 'Начнёт действовать, когда вы её включите',
    section: 'sales',
    icon: 'discounts',
    any: ['editDiscounts'],
    linked: true,
  },
  {
    key: 'discount',
    path: 'discount/update/:id',
    title: 'Скидка',
    help: 'Условия, проверка, коды и применения одной скидки',
    section: 'sales',
    icon: 'discounts',
    any: ['viewDiscounts'],
  },
  {
    key: 'discountCheck',
    path: 'discounts/check',
    title: 'Расчёт скидки',
    help: 'Какие скидки положены корзине и почему, а какие нет: ничего не записывается',
    section: 'sales',
    icon: 'discounts',
    any: ['viewDiscounts'],
    family: 'discounts',
  },
  {
    key: 'discountUses',
    path: 'discounts/uses',
    title: 'Применения скидок',
    help: 'Каждая данная скидка: кому, на что, сколько и почему',
    section: 'sales',
    icon: 'discounts',
    any: ['viewDiscounts'],
    entity: 'discounts/uses',
    family: 'discounts',
  },
  {
    key: 'discountApprovals',
    path: 'discounts/approvals',
    title: 'Согласование скидок',
    help: 'Скидки выше предела сотрудника: решает другой человек',
    section: 'sales',
    icon: 'discounts',
    any: ['viewDiscounts'],
    entity: 'discounts/approvals',
    family: 'discounts',
  },
  {
    key: 'services',
    path: 'services',
    title: 'Услуги и товары',
    help: 'Каталог клиники: группы, коды, цены, кто оказывает и сколько длится',
    section: 'clinic',
    icon: 'services',
    any: ['viewServices', 'editServices'],
    menu: true,
    entity: 'services',
    family: 'catalogue',
    makes: { label: 'Новая услуга', any: ['editServices'] },
  },
  {
    key: 'priceLists',
    path: 'services/price-lists',
    title: 'Прайс-листы',
    help: 'Основной, филиалов, страховых и их программ',
    section: 'clinic',
    icon: 'priceLists',
    any: ['viewServices', 'editServices'],
    entity: 'price-lists',
    family: 'catalogue',
  },
  {
    key: 'serviceTypes',
    path: 'services/types',
    title: 'Виды услуг',
    help: 'Приём, исследование, анализ, операция: цвет и значок',
    section: 'clinic',
    icon: 'lists',
    any: ['viewServices', 'editServices'],
    entity: 'service-types',
    family: 'catalogue',
  },
  {
    key: 'service',
    path: 'service/view',
    title: 'Услуга',
    help: 'Карточка услуги: цены, врачи, длительность',
    section: 'clinic',
    icon: 'services',
    any: ['viewServices', 'editServices', 'viewSalesManagement', 'editSalesManagement'],
    linked: true,
  },
  {
    key: 'serviceEdit',
    path: 'service/edit',
    title: 'Изменение услуги',
    help: 'Названия, коды, чек, сайт, изображения',
    section: 'clinic',
    icon: 'services',
    any: ['editServices'],
    linked: true,
  },
  {
    key: 'serviceUsers',
    path: 'service/users',
    title: 'Врачи услуги',
    help: 'Кто оказывает услугу и где',
    section: 'clinic',
    icon: 'services',
    any: ['viewServices', 'editServices'],
    linked: true,
  },
  {
    key: 'servicePrices',
    path: 'service/prices',
    title: 'Цены услуги',
    help: 'Цены по прайс-листам: прежние, нынешние и будущие',
    section: 'clinic',
    icon: 'services',
    any: ['viewServices', 'editServices'],
    linked: true,
  },
  {
    key: 'serviceDuration',
    path: 'service/duration',
    title: 'Длительность услуги',
    help: 'Сколько длится у всех, у врача, в филиале, первично и повторно',
    section: 'clinic',
    icon: 'services',
    any: ['viewServices', 'editServices'],
    linked: true,
  },
  {
    key: 'regulations',
    path: 'regulations',
    title: 'Регламенты',
    help: 'Управление и просмотр регламентов организации',
    section: 'content',
    icon: 'regulations',
    menu: true,
  },
  {
    key: 'scripts',
    path: 'scripts',
    title: 'Скрипты',
    help: 'Что говорить: группы скриптов и разговоры с ветвями ответов',
    section: 'content',
    icon: 'scripts',
    any: ['editScripts'],
    menu: true,
  },
  {
    key: 'script',
    path: 'scripts/:id',
    title: 'Скрипт',
    help: 'Шаги разговора, ответы и карта ветвей',
    section: 'content',
    icon: 'scripts',
    any: ['editScripts'],
  },
  {
    key: 'newScript',
    path: 'new-scripts',
    title: 'Новый скрипт',
    help: 'Шаги разговора, ответы и карта ветвей',
    section: 'content',
    icon: 'scripts',
    any: ['editScripts'],
  },
  {
    key: 'news',
    path: 'news',
    title: 'Новости',
    help: 'Новости клиники и её страниц: лента, публикация, кто прочитал',
    section: 'content',
    icon: 'news',
    any: ['displayTableNews'],
    menu: true,
  },
  {
    key: 'newsItem',
    path: 'news/:id',
    title: 'Новость',
    help: 'Текст, изображения, прочтения и комментарии новости',
    section: 'content',
    icon: 'news',
    any: ['displayTableNews'],
  },
  {
    key: 'users',
    path: 'users',
    title: 'Сотрудники',
    help: 'Учётные записи, роли и личные права',
    section: 'staff',
    icon: 'users',
    any: ['editUsers'],
    menu: true,
    entity: 'users',
    makes: { label: 'Новый сотрудник', any: ['editUsers'] },
  },
  {
    key: 'user',
    path: 'users/:id',
    title: 'Сотрудник',
    help: 'Учётная запись, роли и личные права сотрудника',
    section: 'staff',
    icon: 'users',
    any: ['editUsers'],
  },
  {
    key: 'staff',
    path: 'settings/staff',
    title: 'Учётные записи',
    help: 'Кто входит в эту программу: роли и личные права',
    section: 'staff',
    icon: 'users',
    any: ['editUsers'],
    menu: true,
    insteadOf: 'users',
  },
  {
    key: 'staffAccount',
    path: 'settings/staff/:id',
    title: 'Учётная запись',
    help: 'Вход, роли и личные права сотрудника',
    section: 'staff',
    icon: 'users',
    any: ['editUsers'],
    insteadOf: 'user',
  },
  {
    key: 'roles',
    path: 'roles',
    title: 'Роли и права',
    help: 'Наборы прав, которые выдаются сотрудникам',
    section: 'staff',
    icon: 'roles',
    any: ['editUsers'],
    menu: true,
    entity: 'roles',
  },
  {
    key: 'profile',
    path: 'profile',
    title: 'Мой профиль',
    help: 'Личные данные, пароль, настройки и сеансы',
    icon: 'profile',
  },
  {
    key: 'person',
    path: 'profile/:id',
    title: 'Профиль сотрудника',
    help: 'Должность и контакты сотрудника',
    icon: 'profile',
  },
  {
    key: 'mainSettings',
    path: 'settings/main',
    title: 'Основные',
    help: 'Настройки клиники: название, часовой пояс, тариф, связь с прежней CRM',
    section: 'system',
    icon: 'settings',
    any: ['mainSettings'],
    menu: true,
  },
  {
    key: 'filials',
    path: 'settings/filials',
    title: 'Филиалы',
    help: 'Адреса, часы работы, кабинеты и фотографии',
    section: 'system',
    icon: 'filials',
    any: ['mainSettings'],
    menu: true,
    entity: 'filials',
  },
  {
    key: 'newFilial',
    path: 'settings/filials/create',
    title: 'Новый филиал',
    help: 'Название, адрес и часы работы; кабинеты и фотографии добавляют потом',
    section: 'system',
    icon: 'filials',
    any: ['mainSettings'],
    linked: true,
    makes: { label: 'Новый филиал', any: ['mainSettings'] },
  },
  {
    key: 'filial',
    path: 'settings/filial/update/:id',
    title: 'Филиал',
    help: 'Данные, кабинеты, особые дни и фотографии филиала',
    section: 'system',
    icon: 'filials',
    any: ['mainSettings'],
  },
  {
    key: 'organizations',
    path: 'settings/organizations',
    title: 'Организации',
    help: 'Свои юридические лица, страховые, поставщики и лаборатории',
    section: 'system',
    icon: 'organizations',
    any: ['mainSettings'],
    menu: true,
    entity: 'organizations',
    makes: { label: 'Новая организация', any: ['mainSettings'] },
  },
  {
    key: 'cashDesks',
    path: 'settings/cash-desks',
    title: 'Кассы',
    help: 'Кассы филиалов: чьи чеки, касса (ККТ), терминал, предел возврата',
    section: 'system',
    icon: 'cash',
    any: ['mainSettings'],
    menu: true,
    entity: 'cash-desks',
  },
  {
    key: 'consentTemplates',
    path: 'settings/consents',
    title: 'Шаблоны согласий',
    help: 'Документы, которые подписывают клиенты: по одному на цель, с версиями текста',
    section: 'system',
    icon: 'consents',
    any: ['mainSettings'],
    menu: true,
    entity: 'consents/templates',
  },
  {
    key: 'sequences',
    path: 'settings/sequences',
    title: 'Нумерация',
    help: 'Какие номера получают договоры, акты и карты: по порядку и без пропусков',
    section: 'system',
    icon: 'sequences',
    any: ['mainSettings'],
    menu: true,
    entity: 'sequences',
  },
  {
    key: 'workingCalendar',
    path: 'settings/working-calendar',
    title: 'Рабочий календарь',
    help: 'Переносы выходных по годам: по ним считаются сроки в рабочих днях',
    section: 'system',
    icon: 'workingCalendar',
    any: ['mainSettings'],
    menu: true,
    entity: 'calendar-days',
  },
  {
    key: 'socket',
    path: 'socket',
    title: 'Проверка сокета',
    help: 'Состояние соединения, подписки и журнал сообщений',
    section: 'system',
    icon: 'socket',
    any: ['testSocket'],
    menu: true,
  },
  {
    key: 'login',
    path: 'login',
    title: 'Вход',
    help: 'Вход в систему',
    public: true,
  },
  {
    key: 'error',
    path: 'error/:code',
    title: 'Ошибка',
    help: 'Страница не открылась',
    public: true,
  },
] as const satisfies readonly Page[]

export type PageKey = (typeof pages)[number]['key']

/** Those whose screen can follow from the declaration of their entity. */
export type RegistryKey = Extract<(typeof pages)[number], { entity: string }>['key']

/** Old addresses that lead to a page of the list. */
export const pageRedirects: Readonly<Record<string, PageKey>> = {
  'customers/view': 'customer',
  service: 'services',
  dashboard: 'dashboard',
  home: 'dashboard',
  calls: 'calls',
  appeals: 'appeals',
  'appeals/:id': 'appeal',
  journal: 'calls',
  settings: 'mainSettings',
}

/** Whether menus and searches offer the page: those that stand in for another only where the older CRM answers that one. */
export const isOffered = (page: Page, oldCrmUrl: string | undefined): boolean =>
  page.insteadOf === undefined || oldCrmAddress(oldCrmUrl, pageByKey(page.insteadOf as PageKey).path) !== undefined

/** The page of this product itself, also where an older CRM answers its usual path. */
export function ourPage(key: PageKey, oldCrmUrl: string | undefined): Page {
  const all: readonly Page[] = pages
  return all.find((page) => page.insteadOf === key && isOffered(page, oldCrmUrl)) ?? pageByKey(key)
}

/** Why the page is closed to the visitor: tariff, module, permissions; undefined: it opens. */
export const pageRefusal = (page: Page, visitor: Actor): Refusal | undefined =>
  refusal(visitor, { ...gateOf(page.path), ...page })

/** Whether the page opens for the visitor (nobody: no sign-in). The server decides about the data on it. */
export function pageAllowed(page: Page, visitor: Actor | undefined): boolean {
  return page.public === true || (visitor !== undefined && !pageRefusal(page, visitor))
}

type PathOf<K extends PageKey> = Extract<(typeof pages)[number], { key: K }>['path']
type ParamsIn<P extends string> = P extends `${infer A}/${infer B}`
  ? ParamsIn<A> | ParamsIn<B>
  : P extends `:${infer N}`
    ? N
    : never
/** What the path of a page asks for: `{ id }` of `funnels/:id`. */
export type PageParams<K extends PageKey> = { [N in ParamsIn<PathOf<K>>]: string | number }

/** The inner address of a page, with `params` in place of their names: `/funnels/5`. */
export const pagePath = (key: PageKey, params: Readonly<Record<string, string | number>> = {}): string =>
  `/${pageByKey(key).path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))}`

export function pageByKey(key: PageKey): Page {
  return pages.find((page) => page.key === key) as Page
}
