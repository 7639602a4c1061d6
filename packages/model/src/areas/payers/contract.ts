import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { decimal, money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { list } from '../../fields/list.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { letterRules, limitPeriods, registryColumns, ruleKinds } from './rules.ts'

const access = {
  view: ['viewPayers', 'editPayers'],
  create: 'editPayers',
  update: 'editPayers',
  delete: 'editPayers',
} as const

/** A contract with an insurer or an employer who pays for patients. */
export const PayerContract = entity('payer-contracts', {
  label: ['Договор с плательщиком', 'договора с плательщиком', 'договоров с плательщиками'],
  gender: 'm',
  registry: {
    columns: ['number', 'idPayer', 'dateFrom', 'dateTo', 'copay', 'letter', 'payDays', 'active'],
    form: {
      Договор: ['idPayer', 'idOrganization', 'number', 'dateFrom', 'dateTo', 'active'],
      'Кто сколько платит': ['copay', 'letter', 'payDays'],
      Реестр: ['columns'],
    },
    empty: {
      title: 'Договоров нет',
      text: 'Добавьте договор со страховой или работодателем, затем программы с правилами и список застрахованных',
    },
  },
  fields: {
    idPayer: ref('organizations', {
      label: 'Плательщик',
      as: 'payer',
      help: 'Страховая или работодатель',
      required: true,
      fixed: true,
      whenDeleted: 'keeps',
    }),
    idOrganization: ref('organizations', {
      label: 'Наша организация',
      as: 'organization',
      required: true,
      fixed: true,
      whenDeleted: 'keeps',
    }),
    number: text({ label: 'Номер', required: true, max: 64, search: true }),
    dateFrom: date({ label: 'Действует с', required: true }),
    dateTo: date({ label: 'По', help: 'Пусто — без срока' }),
    copay: decimal({ label: 'Доля пациента, %', scale: 2, min: 0, max: 100, default: 0 }),
    letter: choice(letterRules, { label: 'Гарантийное письмо', default: 'listed' }),
    payDays: integer({ label: 'Срок оплаты, дней', min: 0, max: 365, default: 30 }),
    columns: list(registryColumns, { label: 'Столбцы реестра', help: 'Пусто — все' }),
    active: boolean({ label: 'Действует', default: true }),
    dateCreate: dateTime({ label: 'Добавлен', auto: 'created' }),
  },
  many: { insured: many('insured-persons', 'idContract'), registries: many('payer-registries', 'idContract') },
  access,
  title: 'number',
  brief: ['number', 'copay', 'letter'],
  sort: '-dateFrom,id',
  soft: true,
})

/** A rule of a programme: the first that fits decides. */
export const ProgrammeRule = entity('programme-rules', {
  label: ['Правило программы', 'правила программы', 'правил программы'],
  gender: 'n',
  registry: { empty: { title: 'Правил нет', text: 'Без правил программа ничего не покрывает' } },
  fields: {
    idProgramme: ref('organizations/programmes', {
      label: 'Программа',
      as: 'programme',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
    order: position({ group: ['idProgramme'], start: 'last' }),
    kind: choice(ruleKinds, { label: 'Что', required: true }),
    idService: ref('services', { label: 'Услуга', as: 'service', whenDeleted: 'asks' }),
    idGroup: ref('services-groups', { label: 'Группа', as: 'group', whenDeleted: 'asks' }),
    codeMask: text({ label: 'Код 804н', help: 'Например, B01.*', max: 64 }),
    diagnoses: text({ label: 'Диагнозы', help: 'K00-K14, K29', max: 255 }),
    qty: integer({ label: 'Лимит, раз', min: 1, max: 1000 }),
    sum: money({ label: 'Лимит, ₽', min: 0.01, max: 100_000_000 }),
    period: choice(limitPeriods, { label: 'За', default: 'year' }),
  },
  access,
  within: 'idProgramme',
  sort: 'order',
  soft: true,
})
