import { entity } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { MAX_MESSAGE } from './liveAssist.ts'
import { isHost } from './rules.ts'

const DEFAULT_CONSENT =
  'Согласен на обработку персональных данных: имени, телефона, почты и текста сообщений — чтобы клиника могла мне ответить.'

const access = {
  view: ['editLiveAssistDomainMap', 'supportOperator', 'displayTableLiveAssist'],
  create: 'editLiveAssistDomainMap',
  update: 'editLiveAssistDomainMap',
  delete: 'editLiveAssistDomainMap',
} as const

/** A group of operators. Its chats go to its members only, while at least one of them works in the clinic. */
export const ChatGroup = entity('live-assist/groups', {
  label: ['Группа операторов', 'группы операторов', 'групп операторов'],
  gender: 'f',
  registry: {
    columns: ['name', 'users'],
    form: ['name', 'users'],
    empty: {
      title: 'Групп пока нет',
      text: 'Без групп любой чат достаётся любому оператору. Соберите тех, кто отвечает вместе, и назовите группу у сайта или канала.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 64, unique: true, search: true }),
    users: refs('users', {
      label: 'Операторы',
      help: 'Чаты группы распределяются между ними; пусто — между всеми',
      among: { isLiveAssist: true },
      whenDeleted: 'asks',
    }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  access,
  title: 'name',
  sort: 'name',
  soft: true,
})

/** Operators for chats from this source. */
const idGroup = ref('live-assist/groups', {
  label: 'Группа операторов',
  help: 'Кому достаются чаты; пусто — любому оператору',
  as: 'group',
  onDelete: 'set null',
  whenDeleted: 'asks',
})

/**
 * A site of the clinic with the chat widget (the «domain map» of spec §2): the branch, operators and greeting of its
 * chats.
 */
export const ChatDomain = entity('live-assist/domains', {
  label: ['Сайт', 'сайта', 'сайтов'],
  gender: 'm',
  registry: {
    columns: ['name', 'sourceName', 'idFilial', 'idGroup', 'answerMinutes', 'robot', 'active'],
    form: {
      Сайт: ['name', 'sourceName', 'idFilial', 'active'],
      'Что видит посетитель': ['greeting', 'offlineText', 'consentText'],
      'Как отвечаем': ['idGroup', 'answerMinutes', 'robot'],
    },
    empty: {
      title: 'Сайтов пока нет',
      text: 'Добавьте сайт клиники: у него будет ключ и код для вставки на страницу.',
    },
  },
  fields: {
    name: text({
      label: 'Домен',
      help: 'clinic.ru — этот сайт и его поддомены',
      required: true,
      max: 253,
      unique: true,
      search: true,
      rule: (value) => (isHost(value) ? undefined : 'Домен пишут без https:// и пути: clinic.ru'),
    }),
    /** Identifies the site in the script tag; grants no access. */
    key: text({ label: 'Ключ виджета', readonly: true, required: true, max: 64, unique: true }),
    sourceName: text({ label: 'Название источника', default: 'Виджет', max: 128 }),
    idFilial: ref('filials', {
      label: 'Филиал',
      help: 'По его часам посетителю обещают ответ',
      as: 'filial',
      onDelete: 'set null',
    }),
    idGroup,
    greeting: text({
      label: 'Приветствие',
      default: 'Здравствуйте! Чем помочь?',
      max: 500,
      multiline: true,
    }),
    offlineText: text({
      label: 'Когда закрыто',
      default: 'Сейчас мы не работаем. Оставьте телефон и вопрос — ответим, как откроемся.',
      max: 500,
      multiline: true,
    }),
    consentText: text({ label: 'Согласие', default: DEFAULT_CONSENT, max: 2000, multiline: true }),
    /** Incremented with each change of the text; visitors with an older version are asked again. */
    consentVersion: integer({ label: 'Версия согласия', default: 1, readonly: true, min: 1 }),
    answerMinutes: integer({
      label: 'Ответить за, мин.',
      help: 'В часы работы филиала',
      default: 15,
      min: 1,
      max: 1440,
    }),
    robot: boolean({
      label: 'Сначала отвечает робот',
      help: 'Быстрыми ответами, у которых есть слова',
      default: false,
    }),
    active: boolean({ label: 'Работает', default: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    /** Owner of the visitors' files. */
    idUser: ref('users', { label: 'Кто добавил', as: 'user', auto: 'actor' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access,
  title: 'name',
  sort: 'name',
  soft: true,
})

/** A canned reply: inserted by `/код` in the operator's message field, and matched by its words for the robot. */
export const ChatSuggestion = entity('live-assist/suggestions', {
  label: ['Быстрый ответ', 'быстрого ответа', 'быстрых ответов'],
  gender: 'm',
  registry: {
    columns: ['name', 'code', 'text', 'group', 'words'],
    form: ['name', 'code', 'group', 'text', 'words'],
    empty: {
      title: 'Быстрых ответов пока нет',
      text: 'Запишите то, что отвечаете каждый день: в чате хватит «/» и кода.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    code: text({
      label: 'Код',
      help: 'В чате: / и код',
      required: true,
      max: 32,
      unique: true,
      search: true,
      rule: (value) => (/^[\p{L}\d_-]*$/u.test(value) ? undefined : 'Только буквы, цифры, _ и -'),
    }),
    group: text({ label: 'Группа', max: 64 }),
    text: text({
      label: 'Текст',
      help: '{имя}, {дата}, {филиал}, {телефон филиала} подставятся сами',
      required: true,
      max: MAX_MESSAGE,
      multiline: true,
      search: true,
    }),
    words: text({
      label: 'Слова для робота',
      help: 'Через запятую: на сообщение с одним из них робот ответит этим текстом',
      max: 500,
    }),
    dateCreate: dateTime({ label: 'Создан', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: {
    view: ['editLiveAssistSuggestion', 'supportOperator'],
    create: 'editLiveAssistSuggestion',
    update: 'editLiveAssistSuggestion',
    delete: 'editLiveAssistSuggestion',
  },
  title: 'name',
  sort: 'name',
  soft: true,
})

export const channelKinds = { max: 'MAX', telegram: 'Telegram', vk: 'ВКонтакте', whatsapp: 'WhatsApp' } as const
export type ChannelKind = keyof typeof channelKinds

/** Messengers that do not let a business edit or remove a sent message. */
export const unrevisable: ReadonlySet<string> = new Set<ChannelKind>(['whatsapp'])
/** Messengers whose channels are created switched off, until an administrator switches them on. */
export const offAtFirst: ReadonlySet<ChannelKind> = new Set<ChannelKind>(['whatsapp'])

/** A messenger bot: patients' messages to it become chats, and the answers are sent through it. */
export const ChatChannel = entity('live-assist/channels', {
  label: ['Канал', 'канала', 'каналов'],
  gender: 'm',
  fresh: { actions: ['create', 'update', 'delete'], fields: ['token', 'appSecret'] },
  registry: {
    columns: ['name', 'kind', 'account', 'idFilial', 'idGroup', 'active', 'dateChecked'],
    form: {
      Канал: ['name', 'kind', 'idFilial', 'active'],
      Подключение: ['token', 'sender', 'appSecret', 'idIntake'],
      'Как отвечаем': ['idGroup', 'answerMinutes', 'robot'],
    },
    empty: {
      title: 'Каналов пока нет',
      text: 'Создайте бота в мессенджере и добавьте его сюда: сообщения пациентов придут в чат поддержки.',
    },
  },
  fields: {
    name: text({
      label: 'Название',
      help: 'Под ним чаты стоят в списке',
      required: true,
      max: 128,
      unique: true,
      search: true,
    }),
    kind: choice(channelKinds, { label: 'Мессенджер', default: 'telegram', fixed: true }),
    idFilial: ref('filials', {
      label: 'Филиал',
      help: 'По его часам считается срок ответа',
      as: 'filial',
      onDelete: 'set null',
    }),
    idGroup,
    answerMinutes: integer({
      label: 'Ответить за, мин',
      help: 'В часы работы филиала',
      default: 15,
      min: 1,
      max: 1440,
    }),
    robot: boolean({ label: 'Начинает робот', help: 'Быстрыми ответами, у которых есть слова', default: false }),
    active: boolean({ label: 'Включён', help: 'Канал WhatsApp включают после проверки связи', default: true }),
    /** Write-only: the server stores it separately, for the adapter only. An empty value removes it. */
    token: text({ label: 'Токен', help: 'Записывается и больше не показывается', max: 500, virtual: true }),
    dateToken: dateTime({ label: 'Токен задан', readonly: true }),
    sender: text({
      label: 'Номер отправителя',
      help: 'Только для WhatsApp: Phone number ID, одни цифры',
      max: 32,
      rule: (value) => (/^\d*$/.test(value) ? undefined : 'Только цифры: это не телефон, а его Phone number ID'),
    }),
    /** Write-only, as `token`. */
    appSecret: text({
      label: 'Секрет приложения',
      help: 'Только для WhatsApp: им подписаны события. Записывается и больше не показывается',
      max: 200,
      virtual: true,
    }),
    idIntake: ref('news/intakes', {
      label: 'Приём новостей',
      help: 'Только для ВКонтакте: записи стены сообщества приходят в новости через него',
      as: 'intake',
      onDelete: 'set null',
    }),
    /** Part of the webhook address. */
    key: text({ label: 'Ключ канала', readonly: true, required: true, max: 64, unique: true }),
    /** Account name from the messenger's last response. */
    account: text({ label: 'Бот', max: 128, readonly: true }),
    dateChecked: dateTime({ label: 'Связь проверена', readonly: true }),
    dateCreate: dateTime({ label: 'Подключён', auto: 'created' }),
    /** Owner of the patients' files. */
    idUser: ref('users', { label: 'Кто подключил', as: 'user', auto: 'actor' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access,
  title: 'name',
  sort: 'name',
  soft: true,
})
