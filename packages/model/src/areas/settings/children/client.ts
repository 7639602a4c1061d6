import { z } from 'zod'
import { messages } from '../../../messages.ts'
import { type PortalAction, portalActions, type SignInWay, signInWays } from '../../portal/rules.ts'
import { flag } from '../checks.ts'
import { child, setting, severalOf, whole } from '../setting.ts'

/** «Личный кабинет»: access of patients, sign-in, and self-service. */
export const clientSettings = child({
  page: 'clientSettings',
  groups: {
    'Личный кабинет': {
      portalActive: setting({
        label: 'Личный кабинет пациента открыт',
        help: 'Пациенты входят по адресу /portal. Выключено — никто из них не войдёт, а вошедшие выйдут',
        words: 'портал приложение онлайн',
        check: flag(),
        byDefault: false,
      }),
      portalSignIn: setting<SignInWay[]>({
        label: 'Как пациенты входят',
        help: 'Личную ссылку даёт сотрудник из карты: на сутки, для одного устройства',
        words: 'портал код смс вход',
        check: severalOf(signInWays).refine((all) => all.length > 0, 'Выберите хотя бы один способ'),
        byDefault: ['code', 'link'],
        input: { kind: 'several', labels: signInWays },
        wide: true,
      }),
      portalEsia: setting({
        label: 'Входить через Госуслуги',
        help: 'Для клиник, которые зарегистрированы в ЕСИА',
        words: 'портал esia госуслуги вход',
        check: flag(),
        byDefault: false,
        waits: 'esia',
      }),
      portalActions: setting<PortalAction[]>({
        label: 'Что пациенты делают сами',
        help: 'Смотреть свои визиты и данные можно всегда. «Записываться онлайн» открывает запись и с сайта, «Платить онлайн» — там, где есть касса с такой оплатой. Осмотры видны по тем шаблонам, которые открыты пациентам',
        words: 'портал запись оплата чат онлайн',
        check: severalOf(portalActions),
        byDefault: ['confirm', 'cancel', 'chat', 'book', 'move', 'pay', 'papers'],
        input: { kind: 'several', labels: portalActions },
        wide: true,
      }),
      portalCancelHours: setting({
        label: 'Отменить визит можно не позже чем за, ч',
        help: 'Позже пациента просят позвонить; 0 — до самого начала',
        words: 'портал отмена запись',
        check: whole(0, 168),
        byDefault: 12,
      }),
      portalMoveHours: setting({
        label: 'Перенести визит можно не позже чем за, ч',
        help: 'Позже пациента просят позвонить; 0 — до самого начала',
        words: 'портал перенос запись',
        check: whole(0, 168),
        byDefault: 12,
      }),
    },
    'Приведи друга': {
      friendReward: setting({
        label: 'Бонусов пригласившему',
        help: 'После первого оплаченного визита друга, который раньше в клинике не бывал. 0 — ничего',
        words: 'пригласить друга реферальная рекомендация бонусы',
        check: whole(0, 100_000),
        byDefault: 0,
        public: true,
      }),
      friendGift: setting({
        label: 'Бонусов другу',
        help: 'Тогда же. 0 и здесь, и выше — приглашений нет',
        words: 'пригласить друга реферальная бонусы',
        check: whole(0, 100_000),
        byDefault: 0,
        public: true,
      }),
      friendLeastPaid: setting({
        label: 'Если друг заплатил не меньше, ₽',
        help: 'Возврат оплаты ниже этой суммы снимает бонусы с обоих',
        words: 'пригласить друга оплата',
        check: whole(1, 1_000_000),
        byDefault: 500,
      }),
      friendMostInYear: setting({
        label: 'Не больше друзей в год у одного пациента',
        words: 'пригласить друга предел',
        check: whole(1, 1_000),
        byDefault: 10,
      }),
      friendLifeDays: setting({
        label: 'Эти бонусы живут, дней',
        help: '0 — не сгорают',
        words: 'пригласить друга бонусы срок',
        check: whole(0, 3_650),
        byDefault: 365,
      }),
    },
    'Вопрос врачу': {
      doctorDialogService: setting<number | null>({
        label: 'Какой услугой оплачивается',
        help: 'Пациент выбирает врача из тех, кто выполняет эту услугу, виден на сайте и отвечает пациентам. Цена — из прайса. Пусто — врачей не спрашивают',
        words: 'портал диалог консультация онлайн платно врач',
        check: z.int(messages.integer).positive(messages.reference).nullable(),
        byDefault: null,
        input: { kind: 'record', to: 'services', filter: { serviceCategory: 0 } },
        wide: true,
      }),
      doctorDialogHours: setting({
        label: 'Врач отвечает за, ч',
        help: 'Если за это время ответа нет, вопрос закрывается, а деньги возвращаются пациенту',
        words: 'портал диалог срок ответ врач возврат',
        check: whole(1, 168),
        byDefault: 24,
      }),
    },
    'Онлайн-запись': {
      bookingNew: setting({
        label: 'Записывать новых пациентов',
        help: 'Кто пришёл впервые, подтверждает телефон кодом, называет себя и принимает согласие, опубликованное на сайте. Выключено — записываются только те, чья карта уже есть',
        words: 'портал сайт запись новый первичный',
        check: flag(),
        byDefault: true,
      }),
      bookingDays: setting({
        label: 'Время видно вперёд на, дней',
        words: 'портал сайт запись горизонт',
        check: whole(1, 180),
        byDefault: 30,
      }),
      bookingLeadHours: setting({
        label: 'Записаться можно не позже чем за, ч',
        help: 'Ближе этого времени записывает только регистратура; 0 — до самого начала',
        words: 'портал сайт запись заранее',
        check: whole(0, 168),
        byDefault: 2,
      }),
      bookingMost: setting({
        label: 'Открытых записей у пациента, не больше',
        help: 'Сколько визитов, записанных самим пациентом, могут ждать его одновременно',
        words: 'портал сайт запись предел',
        check: whole(1, 20),
        byDefault: 3,
      }),
    },
  },
})
