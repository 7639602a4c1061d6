import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { color } from '../../fields/color.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { identifier } from '../../fields/identifier.ts'
import { integer } from '../../fields/integer.ts'
import { phone } from '../../fields/phone.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { timeZone } from '../../fields/timeZone.ts'
import { week } from '../../fields/week.ts'
import { parseTime } from '../../format.ts'
import { messages } from '../../messages.ts'
import { fileRef, storedFiles } from '../../storedFile.ts'

/** Every user may choose a branch; editing needs the settings right. */
export const filialAccess = {
  view: 'signed-in',
  create: 'mainSettings',
  update: 'mainSettings',
  delete: 'mainSettings',
} as const

const picture = (label: string, as: string) => ref('filials/files', { label, as, onDelete: 'set null' })

/** A branch of the clinic (spec §3 Filial). */
export const Filial = entity('filials', {
  label: ['Филиал', 'филиала', 'филиалов'],
  recalled: true,
  branchBy: 'self',
  gender: 'm',
  fresh: { actions: ['update'], fields: ['feedbackToken'] },
  registry: {
    empty: { title: 'Филиалов пока нет', text: 'Добавьте первый: с ним связаны расписание, склад и номера документов' },
  },
  fields: {
    nameFilial: text({ label: 'Название', required: true, max: 128, unique: true, search: true }),
    shortFilialName: text({ label: 'Краткое название', max: 32, search: true }),
    filialCode: text({
      label: 'Код',
      help: 'Стоит в номерах документов: «Нумерация», {ФИЛ}',
      max: 16,
      unique: true,
      search: true,
      rule: (value) => (/^[\p{L}\d]*$/u.test(value) ? undefined : 'Только буквы и цифры'),
    }),
    labelColor: color({ label: 'Цвет метки', default: '#0c8599' }),
    filialAddress: text({ label: 'Адрес юридический', max: 500, search: true }),
    filialAddressFact: text({ label: 'Адрес фактический', max: 500, search: true }),
    cityName: text({ label: 'Город', max: 128, search: true }),
    regionName: text({ label: 'Регион', max: 128 }),
    latitude: decimal({ label: 'Широта', scale: 6, min: -90, max: 90 }),
    longitude: decimal({ label: 'Долгота', scale: 6, min: -180, max: 180 }),
    filialPhone: phone({ label: 'Телефон', search: true }),
    timeZone: timeZone({ label: 'Часовой пояс', help: 'По нему идут визиты, смены и напоминания' }),
    workingHours: week({ label: 'Часы работы' }),
    active: boolean({ label: 'Работает', default: true }),
    activeForShop: boolean({ label: 'Виден на сайте', default: true }),
    cardImage: picture('Картинка карточки', 'card'),
    backgroundImage: picture('Фоновая картинка', 'background'),
    idClient: integer({ label: 'Номер клиента', help: 'Под которым филиал ведёт внешняя система', min: 1 }),
    externalCode: text({ label: 'Внешний код', max: 64 }),
    cdekPVZ: text({
      label: 'Пункт СДЭК',
      help: 'Код пункта выдачи, например MSK67',
      max: 16,
      rule: (value) => (/^[A-Za-z]*\d*$/.test(value) ? undefined : 'Код пункта СДЭК пишется как MSK67'),
    }),
    departmentOID: identifier('oid', { label: 'OID подразделения', help: 'Из федерального реестра, для ЕГИСЗ' }),
    mdlpPlace: identifier('mdlpPlace', { label: 'Место деятельности МДЛП', help: '14 цифр из личного кабинета' }),
    /** Write-only: the server stores it separately, for the adapter only. An empty value removes it. */
    feedbackToken: text({ label: 'Токен сервиса отзывов', max: 2000, virtual: true, hidden: 'mainSettings' }),
    /** When the token was set; null: none. */
    dateFeedbackToken: dateTime({ label: 'Токен отзывов задан', readonly: true, hidden: 'mainSettings' }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: {
    rooms: many('filials/rooms', 'idFilial'),
    holidays: many('filials/holidays', 'idFilial'),
    gallery: many('filials/gallery', 'idFilial'),
  },
  instead: 'Снимите «Действует»: филиал не будут предлагать, а его история останется',
  access: filialAccess,
  title: 'nameFilial',
  brief: ['nameFilial', 'shortFilialName', 'labelColor'],
  sort: 'nameFilial,id',
  soft: true,
})

const ofFilial = () =>
  ref('filials', { label: 'Филиал', as: 'filial', required: true, fixed: true, onDelete: 'cascade' })

/** A room of a branch with its equipment. */
export const FilialRoom = entity('filials/rooms', {
  label: ['Кабинет', 'кабинета', 'кабинетов'],
  gender: 'm',
  registry: {
    empty: { title: 'Кабинетов нет', text: 'Кабинетов пока нет. По ним видно, где идёт приём и сколько там мест' },
  },
  fields: {
    idFilial: ofFilial(),
    name: text({ label: 'Название', required: true, max: 64, search: true }),
    equipment: text({ label: 'Оснащение', max: 1000, multiline: true }),
    capacity: integer({ label: 'Мест', min: 1, max: 1000, default: 1 }),
    cleaning: integer({ label: 'Уборка после приёма, мин', min: 0, max: 480, default: 0 }),
  },
  instead: 'Сначала укажите в них другой кабинет',
  access: filialAccess,
  within: 'idFilial',
  unique: [['idFilial', 'name']],
  title: 'name',
  sort: 'name,id',
  soft: true,
})

const clockRule = (value: string) =>
  value === '' || parseTime(value) || value.trim() === '24:00' ? undefined : messages.clock

/** A day that differs from the usual week: closed, or open for the given hours. */
export const FilialHoliday = entity('filials/holidays', {
  branchBy: 'common',
  label: ['Особый день', 'особого дня', 'особых дней'],
  gender: 'm',
  registry: {
    empty: { title: 'Особых дней нет', text: 'Особых дней нет. Праздники и короткие дни важнее часов по дням недели' },
  },
  fields: {
    idFilial: ofFilial(),
    day: date({ label: 'День', required: true }),
    reason: text({ label: 'Причина', required: true, max: 128 }),
    start: text({ label: 'Открыт с', help: 'Пусто — закрыт весь день', max: 5, rule: clockRule }),
    end: text({ label: 'До', max: 5, rule: clockRule }),
  },
  access: filialAccess,
  within: 'idFilial',
  unique: [['idFilial', 'day']],
  title: 'reason',
  sort: 'day',
  soft: true,
})

/** An uploaded picture of a branch; its smaller copies are its previews. */
export const FilialFile = storedFiles('filials/files', {
  label: ['Файл филиала', 'файла филиала', 'файлов филиала'],
  many: {
    gallery: many('filials/gallery', 'idFileRegister'),
    cards: many('filials', 'cardImage'),
    backgrounds: many('filials', 'backgroundImage'),
  },
  access: { view: filialAccess.view, delete: filialAccess.delete },
  upload: {
    category: 'filials',
    access: filialAccess.create,
    accept: ['image'],
    extensions: ['png', 'jpg', 'jpeg', 'webp', 'gif'],
  },
})

/** A picture of the branch's gallery (spec §3). */
export const FilialPicture = entity('filials/gallery', {
  branchBy: 'common',
  label: ['Фотография филиала', 'фотографии филиала', 'фотографий филиала'],
  gender: 'f',
  fields: {
    idFilial: ofFilial(),
    idFileRegister: fileRef('filials/files'),
    order: position({ group: ['idFilial'], start: 'last' }),
    url: text({ label: 'Адрес', computed: true, required: true }),
  },
  access: filialAccess,
  within: 'idFilial',
  unique: [['idFilial', 'idFileRegister']],
  sort: 'order',
  soft: true,
})
