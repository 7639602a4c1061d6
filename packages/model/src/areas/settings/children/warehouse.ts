import { warehouseDefaults } from '../../warehouse/warehouse.ts'
import { flag } from '../checks.ts'
import { among, child, dayOrNone, idsById, line, lines, secret, setting, webAddress, whole } from '../setting.ts'
import { connectionModes } from './connections.ts'

export const costMethods = {
  average: 'По средней',
  fifo: 'По цене партии (ФИФО)',
} as const

/** Reporting to МДЛП of packs used in treatment. */
export const issueWays = {
  document: 'Ординатор, документом 531',
  registrar: 'Регистратор выбытия, 10531',
} as const

/** «Склад»: counting and write-off of goods. */
export const warehouseSettings = child({
  page: 'warehouseSettings',
  beside: ['warehouses', 'services'],
  groups: {
    'Склады по умолчанию': {
      /** Warehouse ids by branch id. */
      defaultWarehouses: setting<Record<string, number>>({
        label: 'Склад филиала',
        help: 'Куда приходит товар филиала и откуда его списывают, если в документе не выбрано иное',
        words: 'основной склад умолчание филиалы',
        check: idsById(),
        byDefault: {},
        input: {
          kind: 'recordOf',
          per: 'filials',
          to: 'warehouses',
          by: 'idFilial',
          filter: { active: 'true', kind: warehouseDefaults },
        },
        wide: true,
      }),
    },
    Учёт: {
      costMethod: setting<keyof typeof costMethods>({
        label: 'Себестоимость',
        words: 'фифо средняя партия метод списания цена',
        check: among(costMethods),
        byDefault: 'average',
        input: { kind: 'choice', labels: costMethods },
      }),
      closedUntil: setting({
        label: 'Период закрыт по',
        help: 'Документы этим днём и раньше не проводят и не отменяют. Пусто — закрытых периодов нет',
        words: 'закрытие периода задним числом',
        check: dayOrNone(),
        byDefault: '',
        input: { kind: 'day' },
      }),
    },
    'Сроки годности': {
      fefoMargin: setting({
        label: 'Не выдавать за, дней до конца срока',
        help: 'Партии с близким концом срока списываются первыми, а за столько дней до него — уже нет',
        words: 'fefo запас срок годности просрочено',
        check: whole(0, 365),
        byDefault: 0,
      }),
      expiryNotice: setting({
        label: 'Предупреждать о сроке за, дней',
        help: '0 — не предупреждать',
        words: 'срок годности просрочено уведомление',
        check: whole(0, 365),
        byDefault: 30,
      }),
    },
    Списание: {
      reserveMaterials: setting({
        label: 'Откладывать материалы под запись',
        help: 'Материалы по нормам услуг записи откладываются на складе филиала, пока она впереди',
        words: 'резерв запись бронь материалы',
        check: flag(),
        byDefault: false,
      }),
      autoWriteOff: setting({
        label: 'Списывать по нормам с оказанной услугой',
        help: 'Расходные материалы услуги уходят со склада филиала, когда она отмечена оказанной',
        words: 'автосписание нормы расход материалы',
        check: flag(),
        byDefault: false,
      }),
      writeOffReasons: setting<string[]>({
        label: 'Причины списания',
        help: 'По одной в строке',
        words: 'брак бой порча акт',
        check: lines(50, 100),
        byDefault: ['Истёк срок годности', 'Бой или порча', 'Недостача', 'Для нужд клиники'],
        public: true,
        input: { kind: 'lines' },
        wide: true,
      }),
    },
    МДЛП: {
      mdlpMode: setting<keyof typeof connectionModes>({
        label: 'Режим МДЛП',
        words: 'честный знак маркировка подключение имитатор',
        check: among(connectionModes),
        byDefault: 'off',
        input: { kind: 'choice', labels: connectionModes },
        wide: true,
      }),
      mdlpAddress: setting({
        label: 'Адрес МДЛП',
        help: 'Вида https://api.mdlp.crpt.ru/api/v1/; пусто — как задано на сервере (MDLP_URL)',
        words: 'честный знак url',
        check: webAddress(),
        calledBy: 'MDLP_URL',
        byDefault: '',
        wide: true,
      }),
      mdlpClientId: setting({ label: 'client_id', words: 'мдлп ключ', check: line(100), byDefault: '' }),
      mdlpSecret: secret({
        label: 'client_secret',
        help: 'С новым адресом вписывают и новый ключ',
        words: 'мдлп ключ секрет',
        goesTo: 'mdlpAddress',
      }),
      mdlpUser: setting({
        label: 'Пользователь МДЛП',
        help: 'Отпечаток сертификата или имя учётной записи',
        words: 'мдлп user_id',
        check: line(100),
        byDefault: '',
      }),
      mdlpPassword: secret({
        label: 'Пароль пользователя МДЛП',
        help: 'Сервер входит сам. Пусто — каждые полчаса входит сотрудник: подписью на странице «МДЛП»',
        words: 'честный знак вход',
        goesTo: 'mdlpAddress',
      }),
      mdlpIssue: setting<keyof typeof issueWays>({
        label: 'Выдачу сообщает',
        help: 'Регистратор выбытия сам отправляет 10531: документы расхода ждут его отчёта',
        words: 'регистратор выбытия 531 10531',
        check: among(issueWays),
        byDefault: 'document',
        input: { kind: 'choice', labels: issueWays },
      }),
      mdlpVersion: setting({
        label: 'Версия схем',
        help: 'По какому набору XSD проверяются документы; сам набор загружают на странице «МДЛП»',
        words: 'мдлп xsd',
        check: line(10).refine((v) => v === '' || /^\d+\.\d+$/.test(v), 'Версия пишется так: 1.37'),
        byDefault: '1.37',
      }),
    },
  },
})
