import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { moneyView } from './access.ts'
import type { Totals } from './rules.ts'

export { moneyView }

/** Maximum hours of a shift by the law on cash registers (54-ФЗ, ст. 4.3). */
export const SHIFT_HOURS = 24

const none = 'Не подключено'
const simulator = 'Имитатор: чеки и списания не настоящие'
/** Connection of a desk's register. */
export const kktModes = {
  none,
  atol: 'АТОЛ: веб-сервер драйвера',
  atolOnline: 'АТОЛ Онлайн: касса в облаке',
  outside: 'Чеки даёт платёжная система',
  simulator,
} as const
export type KktMode = keyof typeof kktModes
/** Connection of a desk's terminal. */
export const terminalModes = {
  none,
  manual: 'Рядом: кассир набирает сумму сам',
  command: 'Программа банка через агента',
  yookassa: 'ЮKassa: ссылки и QR',
  simulator,
} as const
export type TerminalMode = keyof typeof terminalModes

/** Encoding of the bank program's answer. */
export const terminalEncodings = { ibm866: 'CP866', 'windows-1251': 'Windows-1251', 'utf-8': 'UTF-8' } as const

/**
 * Whether a desk takes money itself. One whose receipts ЮKassa gives does not: ЮKassa registers its own payments alone,
 * and cash, cards and transfers need a receipt too (54-ФЗ, ст. 1.2).
 */
export const takesByHand = ({ kktMode }: { kktMode: KktMode }): boolean => kktMode !== 'outside'
export const ONLY_BY_LINK =
  'Эта касса — для оплат по ссылке: за них чеки даёт ЮKassa, а за наличные, карту и перевод чека не будет. Примите их на кассе с регистратором чеков. Если её нет, заведите её в «Рабочих местах касс» или подключите регистратор этой'
export const NO_REFUND_RECEIPT =
  'Чека возврата не будет: эта касса возвращает только оплаты по ссылке, чеки за них даёт ЮKassa. Подключите ей регистратор чеков в «Рабочих местах касс» или верните деньги на кассе с регистратором'

/** A register that manages its own shifts and only gets receipts. */
export const hasOwnShifts = (mode: KktMode): boolean => mode === 'atolOnline' || mode === 'outside'
/** Takes money remotely by links: a desk without a cashier. */
export const isByLinks = (mode: TerminalMode): boolean => mode === 'yookassa'

/** Default address of the driver's web server. */
export const DRIVER_ADDRESS = 'http://127.0.0.1:16732'

/** A cash desk of a branch: the organization of its receipts, its register and terminal. */
export const CashDesk = entity('cash-desks', {
  label: ['Касса', 'кассы', 'касс'],
  recalled: true,
  gender: 'f',
  registry: {
    columns: ['name', 'idFilial', 'idOrganization', 'kktMode', 'terminalMode', 'active'],
    form: {
      Касса: ['name', 'idFilial', 'idOrganization', 'refundLimit', 'active'],
      'Регистратор чеков (ККТ)': ['kktMode', 'idAgent', 'kktAddress', 'kktModel', 'kktSerial'],
      'АТОЛ Онлайн': ['onlineGroup', 'onlineLogin', 'onlinePassword', 'onlineEmail', 'onlineAddress'],
      'Банковский терминал': ['terminalMode', 'isOnline'],
      'Программа банка': [
        'terminalProgram',
        'terminalPay',
        'terminalRefund',
        'terminalFiles',
        'terminalEncoding',
        'terminalApproved',
        'terminalDeclined',
        'terminalRrn',
      ],
      ЮKassa: ['payShop', 'paySecret'],
    },
    empty: { title: 'Рабочих мест касс пока нет', text: 'Добавьте кассу филиала: без неё оплату не принять' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 64, search: true }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', required: true, whenDeleted: 'keeps' }),
    idOrganization: ref('organizations', {
      label: 'Организация',
      help: 'Чьи чеки: в одном чеке одна организация',
      as: 'organization',
      among: { kind: 'own' },
      required: true,
      fixed: true,
      whenDeleted: 'keeps',
    }),
    refundLimit: money({
      label: 'Возврат без второго сотрудника, до',
      help: 'Больше этой суммы возврат одобряет другой сотрудник',
      min: 0,
      default: 5000,
    }),
    kktMode: choice(kktModes, {
      label: 'Регистратор чеков',
      help: 'Пока настоящего нет, выберите имитатор: чеки будут пробными',
      default: 'none',
    }),
    idAgent: ref('desk-agents', {
      label: 'Агент на компьютере кассы',
      help: 'Через него работают касса и терминал, которые стоят рядом с ним',
      as: 'agent',
      onDelete: 'set null',
      whenDeleted: 'asks',
    }),
    kktAddress: text({
      label: 'Адрес драйвера',
      help: `Пусто — ${DRIVER_ADDRESS} на компьютере агента`,
      max: 200,
      rule: (value) => (isDriverAddress(value) ? undefined : 'Нужен адрес вида http://127.0.0.1:16732'),
    }),
    kktModel: text({ label: 'Модель', max: 64 }),
    kktSerial: text({ label: 'Заводской номер', max: 32 }),
    terminalMode: choice(terminalModes, { label: 'Терминал', default: 'none' }),
    onlineGroup: text({ label: 'Группа касс', help: 'Личный кабинет АТОЛ Онлайн → Группы', max: 64 }),
    onlineLogin: text({ label: 'Логин для обмена', help: 'Там же, «Настройки интегратора»', max: 64 }),
    onlinePassword: text({
      label: 'Пароль для обмена',
      help: 'Записывается и больше не показывается',
      max: 200,
      virtual: true,
    }),
    onlineEmail: text({ label: 'Почта организации в чеке', max: 128 }),
    onlineAddress: text({
      label: 'Место расчётов',
      help: 'Адрес сайта или клиники, как при регистрации кассы',
      max: 256,
    }),
    terminalProgram: text({
      label: 'Программа',
      help: 'Полный путь на компьютере кассы; она же разрешена в агенте. У Сбербанка C:\\sc552\\loadparm.exe',
      max: 300,
    }),
    terminalPay: text({
      label: 'Команда оплаты',
      help: '{копейки} — сумма, {операция} — её номер',
      max: 200,
      default: '1 {копейки}',
    }),
    terminalRefund: text({
      label: 'Команда возврата',
      help: '{rrn} — номер ссылки оплаты',
      max: 200,
      default: '3 {копейки}',
    }),
    terminalFiles: text({ label: 'Файлы ответа', help: 'Рядом с программой, через пробел', max: 100, default: 'e p' }),
    terminalEncoding: choice(terminalEncodings, { label: 'Кодировка ответа', default: 'ibm866' }),
    terminalApproved: text({ label: 'Одобрено, если есть строка', help: '* — что угодно', max: 200, default: '0,*' }),
    terminalDeclined: text({
      label: 'Отказ, если есть строка',
      help: 'Что не похоже ни на то, ни на другое, решает человек',
      max: 200,
      default: '????,*',
    }),
    terminalRrn: text({
      label: 'Номер ссылки в ответе',
      help: '{rrn} — место номера',
      max: 200,
      default: '*ссылки*{rrn}',
    }),
    payShop: text({ label: 'shopId', help: 'Личный кабинет ЮKassa → Настройки → Магазин', max: 32 }),
    paySecret: text({
      label: 'Секретный ключ',
      help: 'Интеграция → Ключи API. Записывается и больше не показывается',
      max: 200,
      virtual: true,
    }),
    /** When the secrets were set; null: none. */
    dateOnlinePassword: dateTime({ label: 'Пароль АТОЛ Онлайн записан', readonly: true, clock: 'filial.timeZone' }),
    datePaySecret: dateTime({ label: 'Ключ ЮKassa записан', readonly: true, clock: 'filial.timeZone' }),
    isOnline: boolean({
      label: 'Оплата в личном кабинете',
      help: 'Через терминал этой кассы платят пациенты; её смены открываются и закрываются сами',
      default: false,
    }),
    active: boolean({ label: 'Работает', default: true }),
    isShiftOpen: boolean({ label: 'Смена открыта', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Добавлена', auto: 'created', clock: 'filial.timeZone' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed', clock: 'filial.timeZone' }),
  },
  fresh: { actions: ['update'], fields: ['onlinePassword', 'paySecret'] },
  access: {
    view: [...moneyView, 'mainSettings'],
    create: 'mainSettings',
    update: 'mainSettings',
    delete: 'mainSettings',
  },
  kept: ({ isShiftOpen }: { isShiftOpen?: boolean }) =>
    isShiftOpen ? 'В этой кассе открыта смена: сначала закройте её' : undefined,
  unique: [['idFilial', 'name']],
  title: 'name',
  brief: ['name', 'kktMode', 'terminalMode'],
  sort: 'name,id',
  soft: true,
})

function isDriverAddress(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.username && !url.search
}

/** Totals of a closed shift: by the ledger, by the register (Z), by the terminal, and counted. */
export interface Closing {
  crm: Totals
  /** null: not reported yet, or no register. */
  kkt: Totals | null
  /** Kopecks; null: no terminal. */
  terminal: number | null
}

/** A shift of a cash desk; at most one is open. */
export const CashShift = entity('cash-shifts', {
  label: ['Смена кассы', 'смены кассы', 'смен кассы'],
  gender: 'f',
  fields: {
    idDesk: ref('cash-desks', { label: 'Касса', as: 'desk', required: true, readonly: true }),
    number: integer({ label: 'Номер', required: true, readonly: true }),
    localDate: date({ label: 'День', required: true, readonly: true }),
    dateOpened: dateTime({ label: 'Открыта', required: true, readonly: true, clock: 'desk.filial.timeZone' }),
    idCashier: ref('users', { label: 'Кассир', as: 'cashier', readonly: true, whenDeleted: 'stays' }),
    dateClosed: dateTime({ label: 'Закрыта', readonly: true, clock: 'desk.filial.timeZone' }),
    idCloser: ref('users', { label: 'Кто закрыл', as: 'closer', readonly: true, whenDeleted: 'stays' }),
    opening: money({ label: 'В кассе на начало', required: true, readonly: true }),
    expected: money({ label: 'Должно быть', readonly: true }),
    counted: money({ label: 'Посчитано', readonly: true }),
    difference: money({ label: 'Расхождение', readonly: true }),
    zNumber: integer({ label: 'Z-отчёт №', readonly: true }),
    closing: json<Closing>()({ label: 'Сверка', readonly: true }),
  },
  access: { view: moneyView },
  within: 'idDesk',
  title: 'number',
  sort: '-id',
})
