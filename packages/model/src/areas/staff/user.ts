import { entity, many } from '../../entity.ts'
import { birthday } from '../../fields/birthday.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { color } from '../../fields/color.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { email } from '../../fields/email.ts'
import { identifier } from '../../fields/identifier.ts'
import { phone } from '../../fields/phone.ts'
import { ref } from '../../fields/ref.ts'
import { refs } from '../../fields/refs.ts'
import { text } from '../../fields/text.ts'
import { timeZone } from '../../fields/timeZone.ts'
import { editedBy, list } from '../../list.ts'
import { sexes } from './sexes.ts'

export { sexes }

/**
 * Milliseconds since the last heartbeat within which a user counts as online: one refresh (3 minutes) and some delay.
 */
export const ONLINE_MS = 210_000

/** A doctor's speciality: for employees and searches. */
export const Speciality = list('specialities', ['Специальность', 'специальности', 'специальностей'], {
  gender: 'f',
  instead: 'Сначала укажите сотрудникам другую специальность',
  access: editedBy('editUsers', 'signed-in'),
  unique: [['name']],
  quickAdd: true,
})

/** An employee with an account (spec §3 User). */
export const User = entity('users', {
  label: ['Сотрудник', 'сотрудника', 'сотрудников'],
  gender: 'm',
  fresh: { actions: ['update', 'delete', 'export'], fields: ['login', 'phone', 'email', 'isBlocked'] },
  registry: {
    form: {
      Человек: ['surname', 'name', 'middleName', 'birthday', 'sex', 'description'],
      Работа: ['post', 'idSpeciality', 'filials', 'onlyFilials', 'color', 'isOnSite'],
      'Допуск к работе': ['snils', 'inn', 'certificateNumber', 'certificateFrom', 'certificateTo'],
      Связь: ['phone', 'email', 'sipPhone', 'isLiveAssist'],
      'Учётная запись': ['login', 'timeZone'],
    },
    empty: { title: 'Сотрудников пока нет', text: 'Добавьте первого, чтобы он мог войти' },
  },
  fields: {
    surname: text({ label: 'Фамилия', max: 64, search: true, spelling: 'name' }),
    name: text({ label: 'Имя', max: 64, search: true, spelling: 'name' }),
    middleName: text({ label: 'Отчество', max: 64, search: true, spelling: 'name' }),
    fio: text({ label: 'ФИО', spelling: 'fio', computed: true, required: true, search: true }),
    shortFio: text({ label: 'Сотрудник', spelling: 'fio', computed: true, required: true }),
    avatar: text({ label: 'Фотография', readonly: true }),
    post: text({ label: 'Должность', max: 255, search: true }),
    idSpeciality: ref('specialities', { label: 'Специальность', as: 'speciality', whenDeleted: 'keeps' }),
    filials: refs('filials', { label: 'Филиалы', help: 'Где работает; пусто — во всех', whenDeleted: 'asks' }),
    onlyFilials: boolean({
      label: 'Видит только свои филиалы',
      help: 'Визиты, деньги, склад, заказы лаборатории и другие дела чужих филиалов не показываются; карты пациентов общие',
      default: false,
      hidden: 'editUsers',
    }),
    color: color({ label: 'Цвет', help: 'Столбец в расписании' }),
    phone: phone({ label: 'Телефон', search: true }),
    email: email({ label: 'Электронная почта', search: true }),
    description: text({ label: 'О сотруднике', max: 2000, multiline: true }),
    isOnSite: boolean({
      label: 'Показывать на сайте',
      help: 'Имя, должность, специальность и «О сотруднике» увидят посетители сайта клиники',
      default: false,
      hidden: 'editUsers',
    }),
    /** For visitors of the site; larger than the avatar for colleagues. */
    idSitePhoto: ref('users/photos', {
      label: 'Фотография для сайта',
      as: 'sitePhoto',
      onDelete: 'set null',
      hidden: 'editUsers',
    }),
    sex: choice(sexes, { label: 'Пол', default: 'none' }),
    birthday: birthday({ label: 'Дата рождения' }),
    snils: identifier('snils', { label: 'СНИЛС', hidden: 'editUsers' }),
    inn: identifier('inn', { label: 'ИНН', help: 'Кассира: печатается в чеке', hidden: 'editUsers' }),
    certificateNumber: text({ label: 'Сертификат или аккредитация', max: 64, hidden: 'editUsers' }),
    certificateFrom: date({ label: 'Выдан', hidden: 'editUsers' }),
    certificateTo: date({ label: 'Действует до', hidden: 'editUsers' }),
    sipPhone: text({ label: 'Внутренний номер', max: 32, rule: sipRule }),
    timeZone: timeZone({ label: 'Часовой пояс', help: 'Пусто — как у клиники' }),
    isLiveAssist: boolean({ label: 'Отвечает в чате поддержки', default: false }),
    lastActive: dateTime({ label: 'Был в сети', readonly: true }),
    isOnline: boolean({ label: 'В сети', computed: true, required: true }),
    isActive: boolean({ label: 'Работает', computed: true, required: true }),
    hash: text({ label: 'Метка', computed: true, required: true }),
    login: text({
      label: 'Логин',
      help: 'Буквы, цифры и знаки . _ - @ без пробелов',
      required: true,
      min: 2,
      max: 64,
      unique: true,
      hidden: 'editUsers',
      rule: loginRule,
    }),
    isBlocked: boolean({
      label: 'Вход закрыт',
      help: 'Сотрудник не войдёт, а его открытые сеансы завершатся сразу',
      default: false,
      hidden: 'editUsers',
    }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
  },
  many: {
    roles: many('user-roles', 'idUser'),
    permissions: many('user-permissions', 'idUser'),
  },
  instead: 'Сначала передайте дела («Передать дела…» на карточке сотрудника); закрыть вход можно сразу',
  access: { view: 'signed-in', create: 'editUsers', update: 'editUsers', delete: 'editUsers', export: 'editUsers' },
  kept: ({ id }: { id: number }, actor) => (id === actor.id ? 'Нельзя удалить свою учётную запись' : undefined),
  title: 'fio',
  brief: ['fio', 'shortFio', 'avatar'],
  sort: 'surname,name,id',
  soft: true,
})

/** Normalizes a login: logins are case-insensitive, and stored in lower case. */
export const loginOf = (written: string): string => written.trim().toLocaleLowerCase('ru')

function loginRule(value: string): string | undefined {
  return value === '' || /^[\p{L}\d._@+-]+$/u.test(value) ? undefined : 'Только буквы, цифры и знаки . _ - @'
}

function sipRule(value: string): string | undefined {
  return /^[\w.+*#@-]*$/.test(value) ? undefined : 'Не корректный внутренний номер'
}
