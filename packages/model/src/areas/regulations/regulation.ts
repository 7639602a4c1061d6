import { entity, many } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { date } from '../../fields/date.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { integer } from '../../fields/integer.ts'
import { json } from '../../fields/json.ts'
import { ref } from '../../fields/ref.ts'
import { text } from '../../fields/text.ts'
import { type RegulationStatus, regulationStatuses, whyKept } from './status.ts'
import { type RegulationTest, wrongTest } from './test.ts'

/** Every user reads regulations in force (the server's scope limits the rows); `editScripts` edits (design §6). */
export const regulationAccess = {
  view: 'signed-in',
  create: 'editScripts',
  update: 'editScripts',
  delete: 'editScripts',
} as const

/** Kinds of regulations (spec §3: `type`, the classification). Keys equal labels. */
export const classifications = {
  Регламент: 'Регламент',
  Инструкция: 'Инструкция',
  Стандарт: 'Стандарт',
  Порядок: 'Порядок',
  Алгоритм: 'Алгоритм',
  'Чек-лист': 'Чек-лист',
  Политика: 'Политика',
} as const
export type Classification = keyof typeof classifications

export const MAX_NAME = 255
export const MAX_DESCRIPTION = 1000

/**
 * A version of a regulation (spec §3). Only a draft can be edited; a version in force is replaced by a new version
 * (design §10), which is a separate record with its own steps.
 */
export const Regulation = entity('regulations', {
  label: ['Регламент', 'регламента', 'регламентов'],
  fields: {
    name: text({ label: 'Название', required: true, max: MAX_NAME, search: true }),
    description: text({ label: 'Описание', max: MAX_DESCRIPTION, multiline: true }),
    type: choice(classifications, { label: 'Классификация', default: 'Регламент' }),
    status: choice(regulationStatuses, { label: 'Статус', readonly: true, default: 'template' }),
    idRole: ref('roles', { label: 'Ответственная роль', as: 'responsibleRole', onDelete: 'set null' }),
    idResponsibleUser: ref('users', { label: 'Ответственный', as: 'responsibleUser', whenDeleted: 'asks' }),
    idUser: ref('users', { label: 'Автор', as: 'user', auto: 'actor' }),
    created_at: dateTime({ label: 'Создан', auto: 'created' }),
    updated_at: dateTime({ label: 'Обновлён', auto: 'changed' }),
    version: integer({ label: 'Версия', readonly: true, default: 1, min: 1 }),
    /** The first version, which identifies the regulation; null on itself. */
    idFirst: ref('regulations', {
      label: 'Первая версия',
      as: 'first',
      readonly: true,
      onDelete: 'restrict',
      whenDeleted: 'own',
    }),
    /** The version that this one was copied from. */
    idPrevious: ref('regulations', {
      label: 'Прежняя версия',
      as: 'previous',
      readonly: true,
      onDelete: 'restrict',
      whenDeleted: 'own',
    }),
    /** Reason of the last rejection; cleared when it is submitted again. */
    rejectionReason: text({ label: 'Причина отклонения', readonly: true, max: 2000, multiline: true }),
    /** Day on which an approved version takes effect automatically; empty: manually. */
    dateEffective: date({ label: 'Вступает в силу' }),
    dateApproved: dateTime({ label: 'Утверждён в', readonly: true }),
    dateActive: dateTime({ label: 'Действует с', readonly: true }),
    dateArchived: dateTime({ label: 'В архиве с', readonly: true }),
    /** Months between periodic reviews of a version in force; 0: none. */
    reviewMonths: integer({ label: 'Пересмотр, мес.', default: 0, min: 0, max: 120 }),
    dateReview: date({ label: 'Пересмотреть до', readonly: true }),
    /** The review with a sent reminder; each is reminded of once. */
    dateReviewReminded: date({ label: 'О пересмотре напомнили', readonly: true }),
    /** Days to read it, from its effective day or from the reader's assignment. */
    readDays: integer({ label: 'Дней на ознакомление', default: 7, min: 1, max: 365 }),
    /** Test after reading; readers get it without the right answers. */
    test: json<RegulationTest>()({ label: 'Тест', rule: wrongTest, hidden: 'editScripts' }),
    /** Percent of right answers needed to pass. */
    passScore: integer({ label: 'Проходной балл, %', default: 80, min: 1, max: 100 }),
    role: text({ label: 'Роль', computed: true }),
    /** Archived, with another version of the regulation in force or in preparation: lists hide it. */
    isSuperseded: boolean({ label: 'Заменён', computed: true, required: true, lazy: true }),
    stagesCount: integer({ label: 'Шагов', computed: true, required: true }),
    /** Sum of the steps' estimates, in minutes. */
    timeEstimate: integer({ label: 'Время по шагам, мин', computed: true, required: true }),
    hasTest: integer({ label: 'Вопросов в тесте', computed: true, required: true }),
    /** Number of assigned readers, and of those who have read it. */
    readsTotalCount: integer({ label: 'Должны ознакомиться', computed: true, lazy: true }),
    readsDoneCount: integer({ label: 'Ознакомились', computed: true, lazy: true }),
    violationsCount: integer({ label: 'Нарушений', computed: true, lazy: true }),
  },
  many: {
    stages: many('regulations/steps', 'idRegulation'),
    reviewers: many('regulations/reviewers', 'idRegulation'),
    audience: many('regulations/audience', 'idRegulation'),
    reads: many('regulations/reads', 'idRegulation'),
    runs: many('regulations/runs', 'idRegulation'),
    violations: many('regulations/violations', 'idRegulation'),
  },
  access: regulationAccess,
  kept: ({ status }: { status: RegulationStatus }) => whyKept[status],
  title: 'name',
  sort: 'name',
  soft: true,
})

export const ofRegulation = () =>
  ref('regulations', { label: 'Регламент', as: 'regulation', required: true, fixed: true, onDelete: 'cascade' })

export const reviewerKinds = { reviewer: 'Проверяет', approver: 'Утверждает' } as const
export type ReviewerKind = keyof typeof reviewerKinds
export const decisions = { none: 'Не решено', approved: 'Согласовано', rejected: 'Отклонено' } as const
export type Decision = keyof typeof decisions

/** Reviewer or approver of a version, with the decision. */
export const RegulationReviewer = entity('regulations/reviewers', {
  label: ['Согласующий', 'согласующих', 'согласующих'],
  fields: {
    idRegulation: ofRegulation(),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, fixed: true, whenDeleted: 'stays' }),
    kind: choice(reviewerKinds, { label: 'Роль', required: true, fixed: true }),
    decision: choice(decisions, { label: 'Решение', readonly: true, default: 'none' }),
    dateDecision: dateTime({ label: 'Решено', readonly: true }),
    comment: text({ label: 'Замечание', readonly: true, max: 2000, multiline: true }),
  },
  access: regulationAccess,
  within: 'idRegulation',
  unique: [['idRegulation', 'idUser', 'kind']],
  sort: 'id',
})

/** Assigned reader of a regulation: a person, or everyone in a role. */
export const RegulationAudience = entity('regulations/audience', {
  label: ['Кому ознакомиться', 'кому ознакомиться', 'кому ознакомиться'],
  fields: {
    idRegulation: ofRegulation(),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', fixed: true, onDelete: 'cascade' }),
    idRole: ref('roles', { label: 'Роль', as: 'role', fixed: true, onDelete: 'cascade' }),
  },
  access: regulationAccess,
  within: 'idRegulation',
  unique: [
    ['idRegulation', 'idUser'],
    ['idRegulation', 'idRole'],
  ],
  sort: 'id',
})

/** One person's assignment to read one version. Created by the server from the audience; confirmed by the person. */
export const RegulationRead = entity('regulations/reads', {
  label: ['Ознакомление', 'ознакомления', 'ознакомлений'],
  fields: {
    idRegulation: ref('regulations', {
      label: 'Регламент',
      as: 'regulation',
      required: true,
      readonly: true,
      onDelete: 'cascade',
    }),
    idUser: ref('users', { label: 'Сотрудник', as: 'user', required: true, readonly: true, onDelete: 'cascade' }),
    dateCreate: dateTime({ label: 'Назначено', auto: 'created' }),
    dateDue: date({ label: 'Ознакомиться до', readonly: true }),
    dateRead: dateTime({ label: 'Ознакомлен', readonly: true }),
    /** Percent of the last attempt; empty without a test. */
    score: integer({ label: 'Результат теста, %', readonly: true, min: 0, max: 100 }),
    attempts: integer({ label: 'Попыток', readonly: true, default: 0, min: 0 }),
    dateReminded: dateTime({ label: 'Напомнили', readonly: true }),
  },
  access: { view: 'signed-in' },
  unique: [['idRegulation', 'idUser']],
  sort: 'id',
  soft: true,
})
