import { z } from 'zod'
import { isTimeZone } from '../../../fields/timeZone.ts'
import { messages } from '../../../messages.ts'
import { type Module, modules, type Tariff, tariffs } from '../../../tariff.ts'
import { type MessageWay, messageWays } from '../../messages/events.ts'
import { type PayerIncome, payerIncomes } from '../../payers/rules.ts'
import { clockTime, flag } from '../checks.ts'
import { networks } from '../networks.ts'
import { among, child, line, setting, severalOf, webAddress, whole } from '../setting.ts'
import { storageGroup } from './mainStorage.ts'
import { visitGroup } from './mainVisits.ts'

/** Behaviour of a sign-in while the same user has another session. */
export const secondSignIns = {
  ask: 'Спросить и завершить другой сеанс',
  replace: 'Завершить другой сеанс без вопроса',
  refuse: 'Не пускать, пока другой сеанс открыт',
} as const
export type SecondSignIn = keyof typeof secondSignIns

const cookieName = () => line(64).regex(/^[\w-]*$/, 'Только латинские буквы, цифры, _ и -')

/** «Основные»: settings of the whole clinic that belong to no other page. */
export const mainSettings = child({
  page: 'mainSettings',
  groups: {
    Клиника: {
      clinicName: setting({
        label: 'Название клиники',
        help: 'На печатных документах',
        words: 'организация имя учреждение',
        check: line(255),
        byDefault: '',
      }),
      productName: setting({
        label: 'Название программы',
        help: 'Заголовок окна',
        words: 'заголовок страницы вкладка',
        check: line(64).min(1, messages.required),
        byDefault: 'Ординатор',
        public: true,
      }),
      timeZone: setting({
        label: 'Часовой пояс клиники',
        words: 'время часы utc',
        check: line(64).min(1, messages.required).refine(isTimeZone, messages.timeZone),
        byDefault: 'Europe/Moscow',
        public: true,
        input: { kind: 'timeZone' },
      }),
      messageHours: setting({
        label: 'Когда можно писать пациентам',
        words: 'тихие часы смс рассылка сообщения ночь',
        check: z
          .object({ start: clockTime(), end: clockTime() }, messages.json)
          .refine(({ start, end }) => start < end, { message: 'Конец должен быть позже начала', path: ['end'] }),
        byDefault: { start: '10:00', end: '18:00' },
        public: true,
        input: { kind: 'hours' },
      }),
    },
    'Вид программы': {
      tableBorders: setting({
        label: 'Границы в таблицах',
        help: 'Для тех, кто сам ничего не выбрал в профиле',
        words: 'сетка линии рамки',
        check: flag(),
        byDefault: false,
      }),
      examinationColors: setting({
        label: 'Цвета осмотров',
        help: 'Для тех, кто сам ничего не выбрал в профиле',
        words: 'окраска подсветка отклонения',
        check: flag(),
        byDefault: true,
      }),
    },
    'Вход и безопасность': {
      sessionHours: setting({
        label: 'Длина сеанса, ч',
        help: 'Без работы столько часов — и нужно войти снова; для тех, кто не просил запомнить',
        words: 'сессия таймаут выход бездействие',
        check: whole(1, 168),
        byDefault: 12,
      }),
      sessionDays: setting({
        label: 'Помнить вход, дней',
        help: 'Для «Запомнить меня»',
        words: 'сессия сеанс запомнить меня',
        check: whole(1, 365),
        byDefault: 30,
      }),
      sessionMostDays: setting({
        label: 'Сеанс не дольше, дней',
        help: 'От входа, как бы часто ни работали: потом нужно войти снова',
        words: 'сессия предел повторный вход срок',
        check: whole(1, 365),
        byDefault: 30,
      }),
      secondSignIn: setting<SecondSignIn>({
        label: 'Вход с другого компьютера',
        help: 'Кто настраивает клинику, войдёт всегда: после вопроса',
        words: 'принудительный вход второй сеанс сессия одновременно',
        check: among(secondSignIns),
        byDefault: 'ask',
        input: { kind: 'choice', labels: secondSignIns },
      }),
      allowedAddresses: setting<string[]>({
        label: 'Откуда можно войти',
        help: 'IP-адреса и сети клиники, по одной в строке: 203.0.113.7 или 10.0.0.0/8. Пусто — откуда угодно',
        words: 'ip белый список адрес сеть vpn ограничение allow',
        check: networks(),
        byDefault: [],
        input: { kind: 'lines' },
        wide: true,
      }),
      passwordLength: setting({
        label: 'Пароль не короче, знаков',
        words: 'длина надёжность правило',
        check: whole(8, 64),
        byDefault: 10,
      }),
      passwordMixed: setting({
        label: 'В пароле и буквы, и цифры',
        help: 'Для паролей, которые зададут с этого дня',
        words: 'сложность надёжность правило',
        check: flag(),
        byDefault: false,
      }),
      passwordDays: setting({
        label: 'Менять пароль через, дней',
        help: 'Старше — программа попросит задать новый; 0 — никогда',
        words: 'срок действия смена истёк',
        check: whole(0, 730),
        byDefault: 0,
      }),
    },
    'Сообщения пациентам': {
      reminderChannels: setting<MessageWay[]>({
        label: 'Чем писать пациентам',
        help: 'По порядку: не вышло одним — следующим. Push — кому включил его в кабинете, мессенджер — тот, где пациент писал. Пусто — не писать',
        words: 'напоминание о визите смс письмо канал мессенджер',
        check: severalOf(messageWays),
        byDefault: ['push', 'messenger', 'sms', 'email'],
        input: { kind: 'several', labels: messageWays },
        wide: true,
      }),
      smsPrice: setting({
        label: 'Цена одной части СМС, ₽',
        help: 'По договору со шлюзом: из неё считается стоимость сообщений',
        words: 'стоимость смс сообщения',
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
        words: 'адрес отзыв',
        check: line(200).refine((v) => v === '' || (/^https?:\/\//.test(v) && URL.canParse(v)), messages.url),
        byDefault: '',
      }),
    },
    Записи: visitGroup,
    Регламенты: {
      regulationsOwnApproval: setting({
        label: 'Отправивший регламент на проверку может утвердить его сам',
        help: 'Выключено — утвердить или согласовать регламент должен хотя бы один другой сотрудник',
        words: 'согласование',
        check: flag(),
        byDefault: false,
      }),
    },
    Плательщики: {
      payerIncome: setting<PayerIncome>({
        label: 'Доход от плательщиков в прибыли и зарплате',
        help: 'Заявленное — доля плательщика считается в день услуги. Принятое — когда плательщик ответил на реестр; снятое не считается. Рассчитанный месяц зарплаты помнит, как его считали',
        words: 'страховые дмс снятия реестр выручка прибыль зарплата',
        check: among(payerIncomes),
        byDefault: 'claimed',
        input: { kind: 'choice', labels: payerIncomes },
      }),
    },
    Расходы: {
      expensesOwnApproval: setting({
        label: 'Единственный согласующий согласует свои расходы сам',
        help: 'Включено — если по маршруту согласует только тот, кто отправил расход, он согласован отправкой. Выключено — нужен хотя бы один другой сотрудник',
        words: 'согласование маршрут директор свой шаг',
        check: flag(),
        byDefault: false,
      }),
    },
    'Чат поддержки': {
      liveAssistAutomatic: setting({
        label: 'Распределять чаты поддержки автоматически',
        help: 'Дольше всех ждущий достаётся оператору на месте, у которого меньше ждущих. Выключено — чаты берут сами',
        words: 'очередь оператор раздача',
        check: flag(),
        byDefault: false,
      }),
      liveAssistLimit: setting({
        label: 'Чатов у одного оператора сразу',
        help: 'Больше автоматически не даётся; отложенные не считаются',
        words: 'нагрузка предел',
        check: whole(1, 50),
        byDefault: 5,
      }),
      liveAssistSilence: setting({
        label: 'Передать другому без ответа через, с',
        help: 'Если есть другой оператор на месте',
        words: 'молчание чат поддержка',
        check: whole(30, 3600),
        byDefault: 90,
      }),
    },
    'Разговоры и обещания': {
      demandOutcome: setting({
        label: 'Требовать итог разговора',
        help: 'Завершая чат или отвеченный звонок, сотрудник говорит, чем кончилось, или что делать дальше и когда',
        words: 'звонок чат результат',
        check: flag(),
        byDefault: true,
        public: true,
      }),
      appealDrafts: setting({
        label: 'Черновик обращения из каждого разговора',
        help: 'После отвеченного звонка дольше 5 секунд и чата с ответом сотрудника; черновик оставляют или убирают одной клавишей',
        words: 'обращения звонок чат',
        check: flag(),
        byDefault: true,
      }),
      promiseAlert: setting({
        label: 'Сказать старшему о просроченном обещании через, мин',
        help: 'По одному разу о каждом обещании с доски «Никто не забыт»; 0 — не говорить',
        words: 'перезвонить контроль',
        check: whole(0, 1440),
        byDefault: 15,
      }),
      supportChatKey: setting({
        label: 'Ключ чата поддержки программы',
        help: 'Ключ сайта из «Карты доменов»: сотрудники увидят кнопку чата на каждой странице; пусто — кнопки нет',
        words: 'помощь виджет поддержка сотрудников',
        check: line(64).refine(
          (v) => v === '' || /^w_[\w-]{8,62}$/.test(v),
          'Ключ начинается с w_: скопируйте его из «Карты доменов»',
        ),
        byDefault: '',
        public: true,
        wide: true,
      }),
      telephonyPlugin: setting({
        label: 'Адрес плагина телефонии на компьютере сотрудника',
        help: 'Например http://127.0.0.1:8090; пусто — плагина нет',
        words: 'софтфон sip звонки',
        check: line(64).refine(
          (v) => v === '' || /^http:\/\/127\.0\.0\.1:\d{2,5}$/.test(v),
          'Адрес этого же компьютера с портом: http://127.0.0.1:8090',
        ),
        byDefault: '',
        public: true,
        wide: true,
      }),
    },
    'Сроки хранения': storageGroup,
    'Прежняя CRM': {
      oldCrmUrl: setting({
        label: 'Адрес прежней CRM',
        help: 'Пусто — прежней CRM нет, открываются свои экраны',
        words: 'старая программа ссылка',
        check: webAddress(),
        byDefault: '',
        public: true,
        wide: true,
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
    },
    'Тариф и модули': {
      tariff: setting({
        label: 'Тариф',
        words: 'базовый стандарт премиум',
        check: z.enum(tariffs, messages.choice),
        byDefault: 'premium' as Tariff,
        input: { kind: 'tariff' },
      }),
      additionalServices: setting<Module[]>({
        label: 'Модули',
        words: 'дополнительные услуги',
        check: z
          .array(z.enum(modules as [Module, ...Module[]], messages.choice), messages.list)
          .transform((v) => [...new Set(v)]),
        byDefault: [...modules],
        input: { kind: 'modules' },
        wide: true,
      }),
    },
    'Связь с сервером': {
      websocket: setting({
        label: 'Мгновенные обновления',
        help: 'Выключено — страницы обновляются, когда их открывают',
        words: 'сокет websocket реальное время',
        check: z.object({ active: flag() }, messages.json),
        byDefault: { active: true },
        public: true,
        input: { kind: 'switchOf', part: 'active' },
      }),
    },
  },
})
