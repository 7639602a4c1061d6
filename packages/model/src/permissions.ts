/**
 * Every permission of the product: names from the specification (spec §6), and proposed ones where it has none (marked by
 * `proposed`). A role is a set of permissions.
 */
const groups = {
  Задачи: {
    viewTasksManagement: 'Задачи и рабочие пространства',
    bypassTaskRights: 'Все рабочие пространства и задачи без ограничений', // proposed: the specification's bypass flag
  },
  Клиенты: {
    viewCustomers: 'Клиенты: просмотр', // proposed
    editCustomers: 'Клиенты: изменение', // proposed
    passDuplicates: 'Клиенты: вторая карта с тем же СНИЛС или полисом', // proposed
    viewMessages: 'Сообщения клиентам: журнал', // proposed
    sendMessages: 'Сообщения клиентам: рассылка и повтор', // proposed
  },
  'Чаты и звонки': {
    supportOperator: 'Чат поддержки',
    superviseLiveAssist: 'Чат поддержки: старший смены', // proposed
    onlineChat: 'Чат с пациентом',
    displayTableLiveAssist: 'Журнал чатов поддержки',
    displayTableServiceOnline: 'Журнал чатов с пациентами',
    viewCallJournal: 'Журнал звонков',
    listenCalls: 'Записи чужих разговоров', // proposed
    editLiveAssistSuggestion: 'Быстрые ответы',
    editLiveAssistDomainMap: 'Карта доменов',
    editDialogs: 'Диалоги с врачами',
    iiProtocolPrompt: 'Подсказки для протоколов',
    iiCallPrompt: 'Подсказки для звонков',
    editPrompts: 'Подсказки: настройка и проба', // proposed
  },
  Обращения: {
    viewAppeals: 'Обращения',
    editAppeals: 'Обращения: изменение', // proposed
    viewAppealAnalytics: 'Отчёт по обращениям',
  },
  Продажи: {
    viewSalesManagement: 'Сделки: просмотр',
    editSalesManagement: 'Сделки: изменение',
    editFunnels: 'Сделки: настройка воронок, справочников и приёма заявок', // proposed
    viewDiscounts: 'Скидки: просмотр и расчёт',
    editDiscounts: 'Скидки: изменение', // proposed
    approveDiscounts: 'Скидки: согласование', // proposed
    viewAdvertising: 'Реклама: просмотр',
    createAdvertising: 'Реклама: изменение',
  },
  Контент: {
    displayTableNews: 'Новости: просмотр',
    editNews: 'Новости: изменение', // proposed
    editScripts: 'Скрипты и регламенты',
    showShopContent: 'Сайт клиники: просмотр',
    editShopContent: 'Сайт клиники: изменение и публикация', // proposed
  },
  Отчёты: {
    viewReportEgiszOperationsLog: 'ЕГИСЗ: журнал операций',
    viewReportEgiszMessages: 'ЕГИСЗ: сообщения',
    viewReportClinicalRecommendations: 'Клинические рекомендации',
    viewMetrikaGoalsReport: 'Цели Метрики',
    viewCustomerPlansReport: 'Планы лечения: всех врачей и филиалов',
    viewRevenueByDiscountsReport: 'Выручка по скидкам',
    viewRevenueByCustomerSourcesReport: 'Выручка по источникам',
    viewPaymentsReport: 'Оплаты и транзакции', // proposed
    viewKpiReport: 'Анализ KPI', // proposed
    viewViolationsReport: 'Нарушения регламентов', // proposed
    viewExaminationsReport: 'Отчёт по осмотрам', // proposed
  },
  Медицина: {
    viewElnList: 'Больничные листы: своих пациентов',
    viewAllEln: 'Больничные листы: всех врачей', // proposed
    editEln: 'Больничные листы: оформление', // proposed
    signElnChairman: 'Больничные листы: подпись председателя ВК', // proposed
    check_applications: 'Онлайн-прикрепление',
    examinationTemplatesSettings: 'Шаблоны осмотров',
    viewForeignExaminationTemplates: 'Чужие шаблоны осмотров',
    viewPlans: 'Планы лечения: просмотр', // proposed
    editPlans: 'Планы лечения: составление', // proposed
    discountPlans: 'Планы лечения: свои цены и скидки', // proposed
    agreePlans: 'Планы лечения: согласование с пациентом', // proposed
    viewExaminations: 'Осмотры: просмотр', // proposed
    editExaminations: 'Осмотры: ведение и подпись своих', // proposed
    foreignExaminationDrafts: 'Чужие черновики осмотров', // proposed
  },
  // Proposed: the specification names none of these.
  'Расписание и записи': {
    viewCalendar: 'Календарь: свой день и дни своих филиалов',
    viewAllAppointments: 'Записи всех врачей и филиалов',
    createAppointments: 'Запись пациентов',
    editAppointments: 'Записи: перенос, отмена, отметки прихода',
    editVisitPrices: 'Цены и скидки услуг визита',
    overbookAppointments: 'Запись сверх расписания и вне смен',
    editPastAppointments: 'Запись задним числом',
    reopenVisit: 'Возобновить завершённый визит',
    editShifts: 'Смены и отсутствия сотрудников',
  },
  Лаборатория: {
    viewKdlModuleOrders: 'КДЛ: заказы, просмотр',
    editKdlModuleOrders: 'КДЛ: заказы, изменение',
    viewLaboratoriesOrders: 'Заказы лаборатории',
    editLaboratories: 'Лаборатории',
    orderLaboratory: 'Заказы анализов: оформление и отмена', // proposed
    takeLabSamples: 'Пробы: взятие, отправка, приём, брак', // proposed
    enterLabResults: 'Результаты: ввод и техническая проверка', // proposed
    approveLabResults: 'Результаты: врачебная проверка', // proposed
    issueLabResults: 'Результаты: выдача и отправка пациенту', // proposed
  },
  Склад: {
    warehouseDashboard: 'Склад',
    viewStockReport: 'Остатки',
    viewConsumableReport: 'Расходные материалы',
    editWarehouse: 'Склад: документы и инвентаризации', // proposed
    viewAllWarehouses: 'Склад: все склады', // proposed
    editMdlp: 'МДЛП: приёмка, выдача, вскрытие коробов', // proposed
  },
  Деньги: {
    viewCashDesk: 'Касса и счета клиентов: просмотр', // proposed
    viewAllCashDesks: 'Касса: кассы всех филиалов', // proposed
    takePayments: 'Касса: приём оплаты, смены', // proposed
    refundPayments: 'Касса: возвраты', // proposed
    refundAbove: 'Касса: одобрение возвратов больше предела', // proposed
    correctReceipts: 'Касса: чеки коррекции, разбор непробитых чеков', // proposed
    cashInOut: 'Касса: внесение и изъятие наличных', // proposed
    editAccount: 'Счета клиентов: корректировки и списания', // proposed
    editBonuses: 'Бонусы клиентов: начисление и списание вручную', // proposed
    payroll: 'Зарплата',
    viewExpenses: 'Расходы: просмотр', // proposed
    editExpenses: 'Расходы: изменение', // proposed
  },
  Управление: {
    mainSettings: 'Настройки',
    editUsers: 'Сотрудники, роли и права', // proposed
    viewServices: 'Услуги: просмотр', // proposed
    editServices: 'Услуги: изменение', // proposed
    editMessageTemplates: 'Шаблоны сообщений', // proposed
    manageSignatures: 'Электронные подписи', // proposed
    viewAccessLog: 'Журнал доступа к данным клиентов', // proposed
    testSocket: 'Проверка сокета', // proposed
  },
} as const

type Groups = typeof groups
export type Permission = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups] & string

export interface PermissionInfo {
  name: Permission
  label: string
  group: string
}

export const permissionList: readonly PermissionInfo[] = Object.entries(groups).flatMap(([group, names]) =>
  Object.entries(names).map(([name, label]) => ({ name: name as Permission, label, group })),
)

export const permissionNames: readonly Permission[] = permissionList.map((p) => p.name)

export const permissionLabels = Object.fromEntries(permissionList.map((p) => [p.name, p.label])) as Record<
  Permission,
  string
>
export const permissionLabel = (name: Permission): string => permissionLabels[name] ?? name
