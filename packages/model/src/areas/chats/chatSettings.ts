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

/** Operators who answer together. What comes to the group is theirs alone, as long as anybody of it works in the clinic. */
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

/** Who answers what comes by this door. */
const idGroup = ref('live-assist/groups', {
  label: 'Группа операторов',
  help: 'Кому достаются чаты; пусто — любому оператору',
  as: 'group',
  onDelete: 'set null',
  whenDeleted: 'asks',
})

/** A site of the clinic with a chat on it (the «domain map» of spec §2): what comes from there is whose, and how it is met. */
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
    /** In the tag of the script: says which site it is and opens nothing. */
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
    /** Grows with each change of the words: who has agreed to others is asked again. */
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
    /** In whose name the files of visitors are kept. */
    idUser: ref('users', { label: 'Кто добавил', as: 'user', auto: 'actor' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access,
  title: 'name',
  sort: 'name',
  soft: true,
})

/** A canned reply: by `/код` in the operator's line, and by its words for the robot. */
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

/** Messengers in which a business cannot change or take back what it has sent. */
export const unrevisable: ReadonlySet<string> = new Set<ChannelKind>(['whatsapp'])
/** Messengers whose channels begin switched off: somebody has to decide on them. */
export const offAtFirst: ReadonlySet<ChannelKind> = new Set<ChannelKind>(['whatsapp'])

/** A bot of a messenger through which patients write: what comes to it is a chat, and what is answered goes out by it. */
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
    /** Taken and never told: the server keeps it apart, for the adapter alone. An empty one takes it away. */
    token: text({ label: 'Токен', help: 'Записывается и больше не показывается', max: 500, virtual: true }),
    dateToken: dateTime({ label: 'Токен задан', readonly: true }),
    sender: text({
      label: 'Номер отправителя',
      help: 'Только для WhatsApp: Phone number ID, одни цифры',
      max: 32,
      rule: (value) => (/^\d*$/.test(value) ? undefined : 'Только цифры: это не телефон, а его Phone number ID'),
    }),
    /** As `token`. */
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
    /** In the address that the messenger calls. */
    key: text({ label: 'Ключ канала', readonly: true, required: true, max: 64, unique: true }),
    /** What the messenger has said of it the last time. */
    account: text({ label: 'Бот', max: 128, readonly: true }),
    dateChecked: dateTime({ label: 'Связь проверена', readonly: true }),
    dateCreate: dateTime({ label: 'Подключён', auto: 'created' }),
    /** In whose name the files of patients are kept. */
    idUser: ref('users', { label: 'Кто подключил', as: 'user', auto: 'actor' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access,
  title: 'name',
  sort: 'name',
  soft: true,
})
