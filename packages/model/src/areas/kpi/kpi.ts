import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal } from '../../fields/decimal.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { directions, units, wrongFormula } from './score.ts'

/** Rights of users who manage pay and reports. */
export const kpiAccess = {
  view: ['viewKpiReport', 'payroll'],
  create: ['payroll', 'mainSettings'],
  update: ['payroll', 'mainSettings'],
  delete: ['payroll', 'mainSettings'],
} as const

/** A KPI: a formula over indicators counted from events (screens.md §6.1). */
export const KpiDefinition = entity('kpi/definitions', {
  label: ['Показатель KPI', 'показателя KPI', 'показателей KPI'],
  gender: 'm',
  registry: {
    columns: ['name', 'formula', 'unit', 'direction', 'weight', 'active'],
    form: ['name', 'code', 'formula', 'unit', 'direction', 'weight', 'active', 'description'],
    empty: {
      title: 'Показателей пока нет',
      text: 'Добавьте показатель: формула из счётчиков обращений, записей, визитов и оплат.',
    },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 120, search: true }),
    code: text({
      label: 'Код',
      required: true,
      max: 40,
      unique: true,
      rule: (value) => (/^[\p{L}\d_-]*$/u.test(value) ? undefined : 'Только буквы, цифры, дефис и подчёркивание'),
    }),
    formula: text({ label: 'Формула', required: true, max: 500, rule: wrongFormula }),
    unit: choice(units, { label: 'Единица', default: 'percent' }),
    direction: choice(directions, { label: 'Лучше, когда', default: 'up' }),
    /** Weight in a person's score unless the plan sets another. */
    weight: decimal({ label: 'Вес', scale: 2, min: 0, max: 100, default: 1 }),
    active: boolean({ label: 'Считается', default: true }),
    description: text({ label: 'Что это', max: 1000, multiline: true }),
    order: position({ group: [], start: 'last' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { plans: many('kpi/plans', 'idKpi') },
  access: kpiAccess,
  title: 'name',
  sort: 'order,id',
  soft: true,
})

/** Monthly plan of a person, a post or a branch. */
export const KpiPlan = entity('kpi/plans', {
  label: ['План KPI', 'плана KPI', 'планов KPI'],
  gender: 'm',
  registry: {
    columns: ['month', 'idKpi', 'idUser', 'post', 'idFilial', 'plan', 'green', 'red', 'weight'],
    empty: {
      title: 'Планов пока нет',
      text: 'Назначьте план сотруднику, должности или филиалу: появятся процент, балл и цвет.',
    },
  },
  fields: {
    month: date({ label: 'Месяц', required: true, help: 'Первый день месяца' }),
    idKpi: ref('kpi/definitions', { label: 'Показатель', as: 'kpi', required: true, onDelete: 'cascade' }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', whenDeleted: 'stays' }),
    post: text({ label: 'Должность', max: 255 }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', whenDeleted: 'asks' }),
    plan: decimal({ label: 'План', scale: 2, required: true, min: 0 }),
    /** Percent of the plan from which the tile is green, and below which it is red. */
    green: decimal({ label: 'Зелёный от, %', scale: 2, min: 0, max: 200, default: 100 }),
    red: decimal({ label: 'Красный ниже, %', scale: 2, min: 0, max: 200, default: 80 }),
    weight: decimal({ label: 'Вес', scale: 2, min: 0, max: 100, help: 'Пусто — как у показателя' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: kpiAccess,
  unique: [['month', 'idKpi', 'idUser', 'post', 'idFilial']],
  emptyIsSame: true,
  sort: '-month,id',
  soft: true,
})
