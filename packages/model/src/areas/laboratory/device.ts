import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { deviceAccess } from './access.ts'
import { tubeFaults } from './states.ts'
import { sections } from './words.ts'

export const protocols = { astm: 'ASTM E1381/E1394', hl7: 'HL7 v2 (MLLP)' } as const
export type Protocol = keyof typeof protocols
export const transports = {
  'tcp-server': 'Прибор подключается к нам',
  'tcp-client': 'Мы подключаемся к прибору',
} as const
export type Transport = keyof typeof transports
export const deviceDirections = { one: 'Только результаты', two: 'Запросы и результаты' } as const
/** Data of the patient in the reply to a query of the device. */
export const patientData = {
  none: 'Только номер пробирки',
  age: 'Пол и год рождения',
  name: 'Имя, пол и дата рождения',
} as const
/** Message field with the tube number. */
export const tubeFields = {
  auto: 'Как принято в протоколе',
  'O-3': 'ASTM O-3',
  'O-4': 'ASTM O-4',
  'OBR-2': 'HL7 OBR-2',
  'OBR-3': 'HL7 OBR-3',
} as const
export type TubeField = keyof typeof tubeFields

const MAX_PORT = 65_535
/** Accepts only addresses and host names. */
const hostRule = (value: string) =>
  value === '' || /^[a-z\d]([a-z\d.:-]{0,252}[a-z\d])?$/i.test(value) ? undefined : 'Нужен адрес или имя компьютера'

/** An analyser and its connection. */
export const LabDevice = entity('laboratory/devices', {
  label: ['Анализатор', 'анализатора', 'анализаторов'],
  gender: 'm',
  registry: {
    columns: ['name', 'model', 'section', 'protocol', 'transport', 'port', 'lastSeen', 'active'],
    form: {
      Прибор: ['name', 'model', 'serial', 'section', 'idFilial', 'active'],
      Связь: ['protocol', 'transport', 'host', 'port', 'direction', 'tubeField', 'patientData', 'quietMinutes'],
    },
    empty: { title: 'Анализаторов пока нет', text: 'Добавьте прибор: его протокол, порт и коды показателей.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    model: text({ label: 'Модель', max: 128, search: true }),
    serial: text({ label: 'Серийный номер', max: 64 }),
    section: choice(sections, { label: 'Отдел', default: 'biochemistry' }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', whenDeleted: 'keeps' }),
    protocol: choice(protocols, { label: 'Протокол', default: 'astm' }),
    transport: choice(transports, { label: 'Подключение', default: 'tcp-server' }),
    host: text({
      label: 'Адрес прибора',
      max: 255,
      rule: hostRule,
      help: 'Куда подключаться; для входящей связи — с какого адреса принимать. Пусто — с того, с которого прибор подключится первым',
    }),
    /** For incoming connections without `host`: the address that connected first. */
    pinnedHost: text({ label: 'Закреплённый адрес', max: 64, readonly: true }),
    /** Address of the latest refused connection, until a person decides. */
    askedHost: text({ label: 'Отклонённый адрес', max: 64, readonly: true }),
    port: integer({ label: 'Порт', min: 1, max: MAX_PORT, required: true }),
    direction: choice(deviceDirections, { label: 'Обмен', default: 'two' }),
    tubeField: choice(tubeFields, { label: 'Номер пробирки', default: 'auto' }),
    patientData: choice(patientData, {
      label: 'О пациенте прибору',
      default: 'none',
      help: 'Что получает прибор в ответ на запрос задания',
    }),
    /** Minutes of silence in working hours until the lamp turns yellow. */
    quietMinutes: integer({ label: 'Молчит, мин', min: 1, max: 1440, default: 30 }),
    active: boolean({ label: 'Работает', default: true }),
    lastSeen: dateTime({ label: 'Последняя связь', readonly: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { codes: many('laboratory/device-codes', 'idDevice') },
  access: deviceAccess,
  // It gets tubes and sends results.
  fresh: { actions: ['create', 'update'], fields: ['host', 'port', 'transport', 'protocol', 'active'] },
  title: 'name',
  sort: 'name',
  soft: true,
})

/** Device code and unit of an analyte. */
export const LabDeviceCode = entity('laboratory/device-codes', {
  branchBy: ['idDevice'],
  label: ['Код прибора', 'кода прибора', 'кодов прибора'],
  gender: 'm',
  registry: {
    columns: ['idDevice', 'code', 'idAnalyte', 'unit', 'factor', 'ignored'],
    empty: { title: 'Кодов пока нет', text: 'Укажите, каким показателям соответствуют коды прибора.' },
  },
  fields: {
    idDevice: ref('laboratory/devices', {
      label: 'Анализатор',
      as: 'device',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    code: text({ label: 'Код прибора', required: true, max: 64, search: true }),
    idAnalyte: ref('laboratory/analytes', { label: 'Показатель', as: 'analyte', onDelete: 'cascade' }),
    /** As the device sends it; empty: it sends no unit. */
    unit: text({ label: 'Единица прибора', max: 64, help: 'Пусто — прибор не присылает единицу' }),
    /** Multiplier from the device's unit to the analyte's. */
    factor: decimal({ label: 'Множитель', scale: 6, min: 0.000001, default: 1 }),
    /** Known codes to ignore: histograms, modes, research values. */
    ignored: boolean({ label: 'Не нужен', default: false }),
  },
  access: deviceAccess,
  sort: 'code',
  unique: [['idDevice', 'code']],
  soft: true,
})

/** A word of a device for a code: the word of the analyte's list that it means, or no result. */
export const LabDeviceWord = entity('laboratory/device-words', {
  branchBy: ['idCode'],
  label: ['Слово прибора', 'слова прибора', 'слов прибора'],
  gender: 'n',
  fields: {
    idCode: ref('laboratory/device-codes', {
      label: 'Код прибора',
      as: 'code',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    said: text({ label: 'Прибор присылает', required: true, max: 255, search: true }),
    value: text({ label: 'Значение из списка', max: 255 }),
    isNone: boolean({ label: 'Нет результата', default: false, help: 'Прибор так говорит, что измерить не удалось' }),
  },
  access: deviceAccess,
  sort: 'said',
  unique: [['idCode', 'said']],
  soft: true,
})

export const strayReasons = {
  ...tubeFaults,
  form: 'Не число и не слово из списка',
  empty: 'Пустое значение',
  noResult: 'Прибор не получил результата',
  code: 'Неизвестный код',
  tube: 'Пробирка не найдена',
  cancelled: 'Заказ отменён',
  unit: 'Другая единица',
  notOrdered: 'Показатель не заказан',
  closed: 'Результат уже подтверждён',
  broken: 'Сообщение не разобрано',
  unfinished: 'Сообщение не закончено',
  control: 'Контроль не описан',
} as const
export type StrayReason = keyof typeof strayReasons

/** An unrecognized part of a device message: stored and shown, never guessed. */
export const LabStray = entity('laboratory/strays', {
  branchBy: ['idDevice'],
  label: ['Неразобранное', 'неразобранного', 'неразобранных'],
  gender: 'n',
  registry: {
    columns: ['dateCreate', 'idDevice', 'reason', 'barcode', 'code', 'value', 'unit', 'status'],
    empty: { title: 'Всё разобрано', text: 'Здесь появится то, что прибор прислал, а программа не поняла.' },
  },
  fields: {
    idDevice: ref('laboratory/devices', { label: 'Анализатор', as: 'device', readonly: true, onDelete: 'cascade' }),
    reason: choice(strayReasons, { label: 'Причина', readonly: true, required: true }),
    barcode: text({ label: 'Пробирка', max: 64, readonly: true, search: true }),
    code: text({ label: 'Код', max: 64, readonly: true, search: true }),
    value: text({ label: 'Значение', max: 1000, readonly: true }),
    unit: text({ label: 'Единица', max: 64, readonly: true }),
    note: text({ label: 'Подробности', max: 500, readonly: true }),
    /** Attached to a tube, it stays so: the final value is awaited. */
    preliminary: boolean({ label: 'Предварительное', default: false, readonly: true }),
    idMessage: integer({ label: 'Сообщение', readonly: true }),
    /** The mapped code, if it is known. */
    idCode: ref('laboratory/device-codes', {
      label: 'Код показателя',
      as: 'mapped',
      readonly: true,
      onDelete: 'set null',
    }),
    /** The value that a person made of it, and why. */
    idResult: ref('laboratory/results', { label: 'Результат', as: 'result', readonly: true, onDelete: 'set null' }),
    why: text({ label: 'Почему отнесено', max: 500, readonly: true }),
    idSettler: ref('users', { label: 'Кто разобрал', as: 'settler', readonly: true, whenDeleted: 'stays' }),
    /** Pieces of a device that are no message: counted in one row. */
    times: integer({ label: 'Раз', min: 1, default: 1, readonly: true }),
    status: choice(
      { open: 'Не разобрано', done: 'Разобрано', dropped: 'Не нужно' },
      { label: 'Состояние', default: 'open' },
    ),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменено', auto: 'changed' }),
  },
  access: { view: deviceAccess.view, update: deviceAccess.view },
  sort: '-id',
})

/** Outcome of a device message. */
export const messageStates = {
  done: 'Принято',
  repeat: 'Повтор',
  partly: 'Принято частично',
  broken: 'Не разобрано',
  query: 'Запрос',
  control: 'Контроль',
  sent: 'Отправлено',
} as const
export type MessageState = keyof typeof messageStates
