import { z } from 'zod'
import { isTimeZone } from '../../fields/timeZone.ts'
import { messages } from '../../messages.ts'
import { type Module, modules, type Tariff, tariffs } from '../../tariff.ts'
import { type MessageWay, messageWays } from '../messages/events.ts'
import { type PortalAction, portalActions, type SignInWay, signInWays } from '../portal/rules.ts'
import { clockTime, flag } from './checks.ts'

interface CommonSetting<T = unknown> {
  label: string
  help?: string
  check: z.ZodType<T>
  /** The value until somebody sets another. */
  byDefault: T
  /** Told to every signed-in user with the account; the others only to `mainSettings`. */
  public?: boolean
}
const setting = <T>(own: CommonSetting<T>) => own

const line = (max: number) =>
  z
    .string(messages.string)
    .trim()
    .max(max, messages.maxLength(max))
    .refine((v) => !v.includes('\0'), messages.nul)
const whole = (min: number, max: number) =>
  z.int(messages.integer).min(min, messages.min(min)).max(max, messages.max(max))
const several = <K extends string>(labels: Readonly<Record<K, string>>) =>
  z
    .array(z.enum(Object.keys(labels) as [K, ...K[]], messages.choice), messages.list)
    .refine((all) => new Set(all).size === all.length, 'Указано дважды')
const cookieName = () => line(64).regex(/^[\w-]*$/, 'Только латинские буквы, цифры, _ и -')

/** The clinic's own settings. An area adds its settings here, and they are stored, checked and shown. */
export const commonSettings = {
  productName: setting({
    label: 'Название программы',
    help: 'Заголовок окна',
    check: line(64).min(1, messages.required),
    byDefault: 'Ординатор',
    public: true,
  }),
  clinicName: setting({
    label: 'Название клиники',
    help: 'На печатных документах',
    check: line(255),
    byDefault: '',
  }),
  timeZone: setting({
    label: 'Часовой пояс клиники',
    check: line(64).min(1, messages.required).refine(isTimeZone, messages.timeZone),
    byDefault: 'Europe/Moscow',
    public: true,
  }),
  messageHours: setting({
    label: 'Когда можно писать пациентам',
    check: z.object({ start: clockTime(), end: clockTime() }, messages.json),
    byDefault: { start: '09:00', end: '21:00' },
    public: true,
  }),
  reminderChannels: setting<MessageWay[]>({
    label: 'Чем писать пациентам',
    help: 'По порядку: не вышло одним — следующим. Мессенджер — тот, где пациент писал. Пусто — не писать',
    check: several(messageWays),
    byDefault: ['messenger', 'sms', 'email'],
  }),
  smsPrice: setting({
    label: 'Цена одной части СМС, ₽',
    help: 'По договору со шлюзом: из неё считается стоимость сообщений',
    check: z
      .number(messages.number)
      .min(0, messages.min(0))
      .max(100, messages.max(100))
      .refine((v) => Math.abs(v * 100 - Math.round(v * 100)) < 1e-6, 'Не больше 2 знаков после запятой'),
    byDefault: 0,
  }),
  messageLink: setting({
    label: 'Ссылка в сообщениях',
    help: 'Стоит вместо {ссылка}: страница отзывов, записи, сайт клиники',
    check: line(200).refine((v) => v === '' || (/^https?:\/\//.test(v) && URL.canParse(v)), messages.url),
    byDefault: '',
  }),
  noShowCall: setting({
    label: 'Звонить накануне после неявок',
    help: 'Столько неявок за год; при записи об этом сказано, 0 — никогда',
    check: whole(0, 20),
    byDefault: 2,
  }),
  noShowPrepay: setting({
    label: 'Просить предоплату после неявок',
    help: 'Столько неявок за год; при записи об этом сказано, 0 — никогда',
    check: whole(0, 20),
    byDefault: 3,
  }),
  planOverdueDays: setting({
    label: 'План лечения стоит без визитов, дней',
    help: 'Через столько дней без визита и записи впереди согласованный план отмечен; 0 — никогда',
    check: whole(0, 366),
    byDefault: 45,
  }),
  calendarNames: setting({
    label: 'Фамилии пациентов в календарях сотрудников',
    help: 'В расписании, которое сотрудник подключил к своему телефону. Выключено — там только «Приём», услуга и кабинет',
    check: flag(),
    byDefault: false,
  }),
  regulationsOwnApproval: setting({
    label: 'Отправивший регламент на проверку может утвердить его сам',
    help: 'Выключено — утвердить или согласовать регламент должен хотя бы один другой сотрудник',
    check: flag(),
    byDefault: false,
  }),
  liveAssistAutomatic: setting({
    label: 'Распределять чаты поддержки автоматически',
    help: 'Дольше всех ждущий достаётся оператору на месте, у которого меньше ждущих. Выключено — чаты берут сами',
    check: flag(),
    byDefault: false,
  }),
  liveAssistLimit: setting({
    label: 'Чатов у одного оператора сразу',
    help: 'Больше автоматически не даётся; отложенные не считаются',
    check: whole(1, 50),
    byDefault: 5,
  }),
  liveAssistSilence: setting({
    label: 'Передать другому без ответа через, с',
    help: 'Если есть другой оператор на месте',
    check: whole(30, 3600),
    byDefault: 90,
  }),
  demandOutcome: setting({
    label: 'Требовать итог разговора',
    help: 'Завершая чат или отвеченный звонок, сотрудник говорит, чем кончилось, или что делать дальше и когда',
    check: flag(),
    byDefault: true,
    public: true,
  }),
  promiseAlert: setting({
    label: 'Сказать старшему о просроченном обещании через, мин',
    help: 'По одному разу о каждом обещании с доски «Никто не забыт»; 0 — не говорить',
    check: whole(0, 1440),
    byDefault: 15,
  }),
  recordingsMonths: setting({
    label: 'Хранить записи разговоров, мес',
    help: 'Старше этого запись удаляется навсегда, звонок в журнале остаётся; 0 — хранить всегда',
    check: whole(0, 240),
    byDefault: 0,
  }),
  chatsMonths: setting({
    label: 'Хранить чаты, мес',
    help: 'Чат из архива уходит в корзину, а из неё — навсегда; 0 — хранить всегда',
    check: whole(0, 240),
    byDefault: 0,
  }),
  portalActive: setting({
    label: 'Личный кабинет пациента открыт',
    help: 'Пациенты входят по адресу /portal. Выключено — никто из них не войдёт, а вошедшие выйдут',
    check: flag(),
    byDefault: false,
  }),
  portalSignIn: setting<SignInWay[]>({
    label: 'Как пациенты входят',
    help: 'Личную ссылку даёт сотрудник из карты: на сутки, для одного устройства',
    check: several(signInWays).refine((all) => all.length > 0, 'Выберите хотя бы один способ'),
    byDefault: ['code', 'link'],
  }),
  portalActions: setting<PortalAction[]>({
    label: 'Что пациенты делают сами',
    help: 'Смотреть свои визиты и данные можно всегда',
    check: several(portalActions),
    byDefault: ['confirm', 'cancel', 'chat'],
  }),
  portalCancelHours: setting({
    label: 'Отменить визит можно не позже чем за, ч',
    help: 'Позже пациента просят позвонить; 0 — до самого начала',
    check: whole(0, 168),
    byDefault: 12,
  }),
  exchangeDays: setting({
    label: 'Хранить журнал обмена, дней',
    help: 'Сообщения внешним системам и их ответы; то, что ещё ждёт отправки, остаётся',
    check: whole(1, 730),
    byDefault: 90,
  }),
  telephonyPlugin: setting({
    label: 'Адрес плагина телефонии на компьютере сотрудника',
    help: 'Например http://127.0.0.1:8090; пусто — плагина нет',
    check: line(64).refine(
      (v) => v === '' || /^http:\/\/127\.0\.0\.1:\d{2,5}$/.test(v),
      'Адрес этого же компьютера с портом: http://127.0.0.1:8090',
    ),
    byDefault: '',
    public: true,
  }),
  oldCrmUrl: setting({
    label: 'Адрес прежней CRM',
    help: 'Пусто — прежней CRM нет, открываются свои экраны',
    check: line(500).refine((v) => v === '' || (/^https?:\/\//.test(v) && URL.canParse(v)), messages.url),
    byDefault: '',
    public: true,
  }),
  cookieNameCurrent: setting({
    label: 'Cookie с сотрудником этой системы',
    help: 'Пусто — не ставится',
    check: cookieName(),
    byDefault: 'ordinator_user',
    public: true,
  }),
  cookieNameOther: setting({
    label: 'Cookie с сотрудником прежней CRM',
    help: 'Пусто — не сверяется',
    check: cookieName(),
    byDefault: 'crm_user',
    public: true,
  }),
  cookieNameLogout: setting({
    label: 'Cookie с просьбой выйти',
    help: 'Пусто — не читается',
    check: cookieName(),
    byDefault: 'crm_logout',
    public: true,
  }),
  websocket: setting({
    label: 'Мгновенные обновления',
    check: z.object({ active: flag() }, messages.json),
    byDefault: { active: true },
    public: true,
  }),
  tariff: setting({ label: 'Тариф', check: z.enum(tariffs, messages.choice), byDefault: 'premium' as Tariff }),
  additionalServices: setting({
    label: 'Модули',
    check: z
      .array(z.enum(modules as [Module, ...Module[]], messages.choice), messages.list)
      .transform((v) => [...new Set(v)]),
    byDefault: [...modules],
  }),
} as const

export type CommonSettingName = keyof typeof commonSettings
export type CommonSettings = { [N in CommonSettingName]: (typeof commonSettings)[N]['byDefault'] }
export const commonSettingNames = Object.keys(commonSettings) as CommonSettingName[]
