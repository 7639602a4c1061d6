import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { list } from '../../fields/list.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { deviceAccess, resultsView } from './access.ts'
import { westgardRules } from './westgard.ts'

export const controlLevels = { low: 'Низкий', normal: 'Норма', high: 'Высокий', qualitative: 'Качественный' } as const

/** A control material: expected values on a device, by level and lot. */
export const LabControl = entity('laboratory/controls', {
  branchBy: ['idDevice'],
  label: ['Контроль', 'контроля', 'контролей'],
  gender: 'm',
  registry: {
    columns: ['name', 'idAnalyte', 'idDevice', 'level', 'lot', 'expiresOn', 'mean', 'sd', 'active'],
    form: {
      Материал: ['name', 'lot', 'expiresOn', 'level', 'idDevice', 'idAnalyte', 'active'],
      Пределы: ['mean', 'sd', 'tea', 'expected'],
    },
    empty: { title: 'Контролей пока нет', text: 'Опишите контрольный материал: показатель, уровень, лот и пределы.' },
  },
  fields: {
    name: text({ label: 'Материал', required: true, max: 128, search: true }),
    lot: text({ label: 'Лот', required: true, max: 64, search: true }),
    expiresOn: date({ label: 'Годен до' }),
    level: choice(controlLevels, { label: 'Уровень', default: 'normal' }),
    idDevice: ref('laboratory/devices', { label: 'Анализатор', as: 'device', required: true, onDelete: 'cascade' }),
    idAnalyte: ref('laboratory/analytes', { label: 'Показатель', as: 'analyte', required: true, whenDeleted: 'keeps' }),
    mean: decimal({ label: 'Среднее', scale: 4 }),
    sd: decimal({ label: 'SD', scale: 4, min: 0 }),
    /** Allowable total error, per cent. */
    tea: decimal({ label: 'TEa, %', scale: 2, min: 0.01, max: 100 }),
    /** Expected text of a qualitative control. */
    expected: text({ label: 'Ожидается', max: 64 }),
    active: boolean({ label: 'Действует', default: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { runs: many('laboratory/control-runs', 'idControl') },
  access: deviceAccess,
  title: 'name',
  sort: 'name,id',
  soft: true,
})

/** One measurement of a control. A rejected one holds the results it covers until a good one follows. */
export const LabControlRun = entity('laboratory/control-runs', {
  branchBy: ['idControl'],
  label: ['Измерение контроля', 'измерения контроля', 'измерений контроля'],
  gender: 'n',
  fields: {
    idControl: ref('laboratory/controls', {
      label: 'Контроль',
      as: 'control',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    value: text({ label: 'Значение', required: true, max: 64, fixed: true }),
    valueNum: decimal({ label: 'Число', scale: 6, readonly: true }),
    /** Standard deviations from the mean. */
    z: decimal({ label: 'z', scale: 2, readonly: true }),
    broken: list(westgardRules, { label: 'Нарушены правила', readonly: true }),
    rejected: boolean({ label: 'Не принят', default: false, readonly: true }),
    /** Corrective action; shown under the chart. */
    remark: text({ label: 'Примечание', max: 1000, multiline: true }),
    idMessage: integer({ label: 'Сообщение прибора', readonly: true }),
    idAuthor: ref('users', { label: 'Кто', as: 'author', auto: 'asker' }),
    dateCreate: dateTime({ label: 'Когда', auto: 'created' }),
  },
  access: { view: resultsView, create: 'enterLabResults', update: 'enterLabResults' },
  sort: '-id',
})
