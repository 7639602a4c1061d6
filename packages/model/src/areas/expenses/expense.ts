import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { money } from '../../fields/decimal.ts'
import { integer } from '../../fields/integer.ts'
import { position } from '../../fields/position.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { attachment, storedFiles } from '../../storedFile.ts'
import { vatCodes } from '../catalogue/service.ts'
import {
  approvalStatuses,
  articleKinds,
  type ExpenseStatus,
  expenseRepeats,
  expenseSources,
  expenseStatuses,
  isDraft,
} from './states.ts'

export const expenseAccess = {
  view: ['viewExpenses', 'editExpenses'],
  create: 'editExpenses',
  update: 'editExpenses',
  delete: 'editExpenses',
} as const

/** Category of expenses: a tree. */
export const ExpenseArticle = entity('expenses/articles', {
  label: ['Статья расходов', 'статьи расходов', 'статей расходов'],
  gender: 'f',
  registry: {
    columns: ['name', 'idParent', 'kind', 'active'],
    form: ['name', 'idParent', 'kind', 'active'],
    empty: { title: 'Статей пока нет', text: 'Добавьте аренду, материалы, рекламу, налоги: по статьям строится P&L.' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 120, search: true }),
    idParent: ref('expenses/articles', { label: 'Входит в', as: 'parent', whenDeleted: 'own' }),
    kind: choice(articleKinds, { label: 'Вид', default: 'fixed', help: 'Где стоит в отчёте о прибыли' }),
    active: boolean({ label: 'Действует', default: true }),
    order: position({ group: ['idParent'], start: 'last' }),
  },
  many: { children: many('expenses/articles', 'idParent') },
  access: expenseAccess,
  unique: [['idParent', 'name']],
  emptyIsSame: true,
  title: 'name',
  sort: 'order,id',
  soft: true,
  quickAdd: true,
})

/** An expense, spent or planned (screens.md §13). */
export const Expense = entity('expenses', {
  label: ['Расход', 'расхода', 'расходов'],
  gender: 'm',
  registry: {
    columns: ['localDate', 'purpose', 'idArticle', 'idFilial', 'idContractor', 'sum', 'status', 'payFrom'],
    form: {
      Расход: [
        'purpose',
        'sum',
        'idArticle',
        'idFilial',
        'localDate',
        'month',
        'idContractor',
        'idResponsible',
        'note',
      ],
      Оплата: ['payFrom', 'idDesk', 'idBankAccount', 'number', 'vatCode'],
      'Постоянный расход': ['repeat', 'repeatTo'],
    },
    empty: {
      title: 'Расходов пока нет',
      text: 'Добавьте первый: статья, сумма, месяц. Или загрузите выписку банка.',
    },
  },
  fields: {
    localDate: date({ label: 'Дата', required: true }),
    /** First day of the month that the cost belongs to. */
    month: date({ label: 'За месяц', help: 'В каком месяце стоит в отчёте о прибыли; пусто — месяц даты' }),
    idArticle: ref('expenses/articles', { label: 'Статья', as: 'article', required: true, whenDeleted: 'own' }),
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      help: 'Пусто — общий расход клиники',
      whenDeleted: 'stays',
    }),
    purpose: text({ label: 'Назначение', required: true, max: 500, search: true }),
    sum: money({ label: 'Сумма', required: true, min: 0.01, max: 1_000_000_000 }),
    vatCode: choice(vatCodes, { label: 'НДС', default: 'none' }),
    /** VAT within the sum. */
    vatSum: money({ label: 'В том числе НДС', readonly: true, default: 0 }),
    idContractor: ref('organizations', { label: 'Кому', as: 'contractor', whenDeleted: 'asks' }),
    payFrom: choice(expenseSources, { label: 'Откуда', default: 'account' }),
    idDesk: ref('cash-desks', { label: 'Касса', as: 'desk', help: 'Нужна её открытая смена', whenDeleted: 'stays' }),
    idBankAccount: ref('organizations/accounts', { label: 'Счёт', as: 'bankAccount', whenDeleted: 'asks' }),
    number: text({ label: 'Документ', max: 64, search: true, help: 'Номер счёта, акта, накладной' }),
    note: text({ label: 'Примечание', max: 2000, multiline: true }),
    status: choice(expenseStatuses, { label: 'Состояние', default: 'plan', readonly: true }),
    idResponsible: ref('users', { label: 'Ответственный', as: 'responsible', whenDeleted: 'stays' }),
    repeat: choice(expenseRepeats, { label: 'Повтор', default: 'none' }),
    repeatTo: date({ label: 'Повторять по' }),
    idRepeatOf: ref('expenses', { label: 'Повтор расхода', as: 'repeatOf', readonly: true, onDelete: 'set null' }),
    /** Number of the repeat, from 1. */
    repeatNumber: integer({ label: 'Номер повтора', readonly: true }),
    refusal: text({ label: 'Почему отклонён', max: 500, readonly: true }),
    dateApproved: dateTime({ label: 'Согласован', readonly: true }),
    datePaid: date({ label: 'Оплачен', readonly: true }),
    idShift: ref('cash-shifts', { label: 'Смена кассы', as: 'shift', readonly: true }),
    idPayer: ref('users', { label: 'Кто оплатил', as: 'payer', readonly: true, whenDeleted: 'stays' }),
    filesCount: integer({ label: 'Файлов', computed: true, lazy: true }),
    /** It waits for the user's approval. */
    waitsForMe: boolean({ label: 'Ждёт моего решения', computed: true, required: true }),
    idAuthor: ref('users', { label: 'Кто внёс', as: 'author', auto: 'actor' }),
    dateCreate: dateTime({ label: 'Внесён', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  many: { approvals: many('expenses/approvals', 'idExpense'), files: many('expenses/attachments', 'idExpense') },
  access: expenseAccess,
  kept: ({ status }: { status: ExpenseStatus }) =>
    isDraft(status) ? undefined : 'Согласованный расход не удаляют: верните его в план',
  title: 'purpose',
  brief: ['purpose', 'sum', 'status'],
  sort: '-localDate,-id',
  soft: true,
})

/** Approver of expenses above a sum. */
export const ExpenseRoute = entity('expenses/routes', {
  label: ['Шаг согласования', 'шага согласования', 'шагов согласования'],
  gender: 'm',
  registry: {
    columns: ['idUser', 'fromSum', 'idFilial', 'idArticle'],
    form: ['idUser', 'fromSum', 'idFilial', 'idArticle'],
    empty: {
      title: 'Согласование не настроено',
      text: 'Пока шагов нет, расход согласован сразу. Добавьте, чьё согласие нужно и с какой суммы.',
    },
  },
  fields: {
    idUser: ref('users', { label: 'Кто согласует', as: 'user', required: true, whenDeleted: 'asks' }),
    fromSum: money({ label: 'С суммы', default: 0, min: 0, max: 1_000_000_000 }),
    idFilial: ref('filials', { label: 'Филиал', as: 'filial', help: 'Пусто — любой', whenDeleted: 'asks' }),
    idArticle: ref('expenses/articles', {
      label: 'Статья',
      as: 'article',
      help: 'С теми, что в ней; пусто — любая',
      whenDeleted: 'asks',
    }),
    order: position({ group: [], start: 'last' }),
  },
  access: { ...expenseAccess, create: 'mainSettings', update: 'mainSettings', delete: 'mainSettings' },
  sort: 'order,id',
  soft: true,
})

/** One person's decision on an expense. */
export const ExpenseApproval = entity('expenses/approvals', {
  label: ['Согласование', 'согласования', 'согласований'],
  gender: 'n',
  fields: {
    idExpense: ref('expenses', {
      label: 'Расход',
      as: 'expense',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    idUser: ref('users', { label: 'Кто', as: 'user', required: true, readonly: true, whenDeleted: 'stays' }),
    order: integer({ label: 'Шаг', required: true, readonly: true }),
    status: choice(approvalStatuses, { label: 'Решение', required: true, readonly: true }),
    comment: text({ label: 'Комментарий', max: 500, readonly: true }),
    dateDecided: dateTime({ label: 'Когда', readonly: true }),
    dateCreate: dateTime({ label: 'Запрошено', auto: 'created' }),
  },
  access: { view: expenseAccess.view },
  within: 'idExpense',
  sort: 'order,id',
})

/** Planned expenses of a category in a month of a branch. */
export const ExpensePlan = entity('expenses/plans', {
  label: ['План расходов', 'плана расходов', 'планов расходов'],
  gender: 'm',
  registry: {
    columns: ['month', 'idArticle', 'idFilial', 'sum'],
    empty: { title: 'Плана пока нет', text: 'Внесите план по статьям: рядом появится факт и отклонение.' },
  },
  fields: {
    month: date({ label: 'Месяц', required: true }),
    idArticle: ref('expenses/articles', { label: 'Статья', as: 'article', required: true, whenDeleted: 'asks' }),
    idFilial: ref('filials', {
      label: 'Филиал',
      as: 'filial',
      help: 'Пусто — общий план клиники',
      whenDeleted: 'asks',
    }),
    sum: money({ label: 'План', required: true, min: 0, max: 1_000_000_000 }),
    dateChange: dateTime({ label: 'Изменён', auto: 'changed' }),
  },
  access: expenseAccess,
  unique: [['month', 'idArticle', 'idFilial']],
  emptyIsSame: true,
  sort: '-month,id',
  soft: true,
})

export const ExpenseFile = storedFiles('expenses/files', {
  label: ['Файл расхода', 'файла расхода', 'файлов расходов'],
  many: { attachments: many('expenses/attachments', 'idFile') },
  access: { view: expenseAccess.view, delete: expenseAccess.delete },
  upload: { category: 'expenses', access: expenseAccess.create },
})

export const ExpenseAttachment = attachment('expenses/attachments', {
  label: ['Вложение расхода', 'вложения расхода', 'вложений расхода'],
  of: {
    idExpense: ref('expenses', {
      label: 'Расход',
      as: 'expense',
      required: true,
      fixed: true,
      onDelete: 'cascade',
    }),
  },
  within: 'idExpense',
  files: 'expenses/files',
  access: { view: expenseAccess.view, create: expenseAccess.create, delete: expenseAccess.delete },
})

export const statementStates = {
  new: 'Разобрать',
  matched: 'Проведена',
  ignored: 'Не расход',
} as const

/** An imported bank file. */
export const BankStatement = entity('expenses/statements', {
  label: ['Выписка банка', 'выписки банка', 'выписок банка'],
  gender: 'f',
  fields: {
    name: text({ label: 'Файл', required: true, max: 255, readonly: true }),
    account: text({ label: 'Счёт', max: 20, readonly: true }),
    idBankAccount: ref('organizations/accounts', {
      label: 'Счёт клиники',
      as: 'bankAccount',
      readonly: true,
      whenDeleted: 'asks',
    }),
    dateFrom: date({ label: 'С', readonly: true }),
    dateTo: date({ label: 'По', readonly: true }),
    opening: money({ label: 'Остаток на начало', readonly: true }),
    closing: money({ label: 'Остаток на конец', readonly: true }),
    linesCount: integer({ label: 'Операций', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Загружена', auto: 'created' }),
    idAuthor: ref('users', { label: 'Кто загрузил', as: 'author', auto: 'actor' }),
  },
  many: { lines: many('expenses/statement-lines', 'idStatement') },
  access: { view: expenseAccess.view },
  title: 'name',
  sort: '-id',
})

/** An operation of a statement: incoming or outgoing money. */
export const StatementLine = entity('expenses/statement-lines', {
  label: ['Операция выписки', 'операции выписки', 'операций выписки'],
  gender: 'f',
  fields: {
    idStatement: ref('expenses/statements', {
      label: 'Выписка',
      as: 'statement',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    localDate: date({ label: 'Дата', required: true, readonly: true }),
    number: text({ label: 'Документ', max: 64, readonly: true }),
    isIncoming: boolean({ label: 'Поступление', required: true, readonly: true }),
    sum: money({ label: 'Сумма', required: true, readonly: true }),
    party: text({ label: 'Контрагент', max: 500, readonly: true, search: true }),
    inn: text({ label: 'ИНН', max: 12, readonly: true, search: true }),
    purpose: text({ label: 'Назначение', max: 1000, readonly: true, search: true }),
    /** Made of account, number, day, sum and party, so that another file does not import the same operation again. */
    mark: text({ label: 'Метка', required: true, max: 64, readonly: true, unique: true }),
    state: choice(statementStates, { label: 'Состояние', default: 'new', readonly: true }),
    idExpense: ref('expenses', { label: 'Расход', as: 'expense', readonly: true, onDelete: 'set null' }),
    /** What a payer has paid by this operation. */
    idRegistry: ref('payer-registries', {
      label: 'Реестр плательщику',
      as: 'registry',
      readonly: true,
      onDelete: 'set null',
    }),
  },
  access: { view: expenseAccess.view },
  within: 'idStatement',
  title: 'purpose',
  sort: '-localDate,-id',
})
