/** Lists inside a record's own values: templates loop over them as over records. Pure. */
import { type Entity, entity, many } from '../../entity.ts'
import { text } from '../../fields/text.ts'
import { formatNumber } from '../../format.ts'
import {
  type Diagnosis,
  diagnosisKinds,
  diagnosisTypes,
  examinationAccess,
  type Prescription,
} from '../examinations/examination.ts'
import { type ExaminationForm, type FormValues, readyForm } from '../examinations/form.ts'
import { readSections } from '../examinations/paper.ts'
import { Payment } from '../money/payment.ts'
import { markedAddress } from './marked.ts'
import { type Markup, readMarkup } from './markup.ts'

/** A row of such a list: its fields as text, and nested lists. */
export interface HeldRow {
  shown: string
  fields: Readonly<Record<string, string>>
  /** URLs of pictures above some of the fields. */
  drawings?: Readonly<Record<string, string>>
  lists?: Readonly<Record<string, readonly HeldRow[]>>
}

interface HeldList {
  of: Entity
  /** Fields of the record that the rows come from. */
  needs: readonly string[]
  rows(record: Readonly<Record<string, unknown>>): HeldRow[]
}

const access = { view: examinationAccess.view }
const words = (label: string) => text({ label })

const Line = entity('examinations@lines', {
  label: ['Поле осмотра', 'поля осмотра', 'полей осмотра'],
  gender: 'n',
  fields: { label: words('Вопрос'), value: words('Ответ'), mark: words('Отклонение') },
  access,
})
const Section = entity('examinations@sections', {
  label: ['Раздел', 'раздела', 'разделов'],
  gender: 'm',
  fields: { title: words('Заголовок') },
  many: { '@lines': many('examinations@lines', 'id') },
  access,
  title: 'title',
})
const Found = entity('examinations@diagnoses', {
  label: ['Поставленный диагноз', 'поставленного диагноза', 'поставленных диагнозов'],
  gender: 'm',
  fields: {
    code: words('Код'),
    name: words('Название'),
    kind: words('Вид'),
    type: words('Тип'),
    note: words('Пояснение'),
  },
  access,
  title: 'name',
})
const Given = entity('examinations@prescriptions', {
  label: ['Назначение', 'назначения', 'назначений'],
  gender: 'n',
  fields: { name: words('Что'), how: words('Как'), term: words('Сколько') },
  access,
  title: 'name',
})
const Advice = entity('examinations@recommendations', {
  label: ['Рекомендация', 'рекомендации', 'рекомендаций'],
  gender: 'f',
  fields: { text: words('Текст') },
  access,
  title: 'text',
})

const PaidFor = entity('payments@services', {
  label: ['Оплаченная услуга', 'оплаченной услуги', 'оплаченных услуг'],
  gender: 'f',
  fields: { name: words('Услуга'), sum: words('Сумма') },
  access: { view: Payment.access.view },
  title: 'name',
})

const marks = { low: 'ниже нормы', high: 'выше нормы' } as const

/** By entity path and name of the list. */
const held: Readonly<Record<string, Readonly<Record<string, HeldList>>>> = {
  payments: {
    '@services': {
      of: PaidFor,
      needs: ['paidFor'],
      rows: ({ paidFor }) =>
        (paidFor as { name: string; sum: number }[]).map(({ name, sum }) => ({
          shown: name,
          fields: { name, sum: formatNumber(sum, 2) },
        })),
    },
  },
  examinations: {
    '@sections': {
      of: Section,
      needs: ['form', 'values'],
      rows: ({ form, values }) =>
        readSections(readyForm(form as ExaminationForm), values as FormValues).map(({ title, lines }) => ({
          shown: title,
          fields: { title },
          lists: {
            '@lines': lines.map(({ label, text: plain, html, mark, drawing }) => {
              const value = html === undefined ? plain : plainOf(html)
              return {
                shown: `${label}: ${value}`,
                fields: { label, value, mark: mark ? marks[mark] : '' },
                ...(drawing && { drawings: { value: markedAddress(drawing) } }),
              }
            }),
          },
        })),
    },
    '@diagnoses': {
      of: Found,
      needs: ['diagnoses'],
      rows: ({ diagnoses }) =>
        (diagnoses as Diagnosis[]).map(({ code, name, kind, type, note = '' }) => ({
          shown: `${code} ${name}`,
          fields: { code, name, kind: diagnosisKinds[kind], type: diagnosisTypes[type], note },
        })),
    },
    '@prescriptions': {
      of: Given,
      needs: ['prescriptions'],
      rows: ({ prescriptions }) =>
        (prescriptions as Prescription[]).map(({ name, how, term }) => ({ shown: name, fields: { name, how, term } })),
    },
    '@recommendations': {
      of: Advice,
      needs: ['recommendations'],
      rows: ({ recommendations }) =>
        (recommendations as string[]).map((one) => ({ shown: one, fields: { text: one } })),
    },
  },
}

const entities = new Map<string, Entity>([Line, Section, Found, Given, Advice, PaidFor].map((one) => [one.path, one]))

export const heldListsOf = ({ path }: Entity): Readonly<Record<string, HeldList>> => held[path] ?? {}

/** Adds the entities of these rows to a lookup by path. */
export const withHeld =
  (at: (path: string) => Entity | undefined) =>
  (path: string): Entity | undefined =>
    entities.get(path) ?? at(path)

const BLOCK = /^(p|li|h[1-4]|tr|blockquote|pre|br|hr)$/

/** Text of a rich text, one line per paragraph. */
function plainOf(html: string): string {
  const out: string[] = []
  const each = (nodes: readonly Markup[]) => {
    for (const node of nodes) {
      if ('text' in node) {
        out.push(node.text)
        continue
      }
      if (BLOCK.test(node.tag)) out.push('\n')
      each(node.inner)
    }
  }
  each(readMarkup(html))
  return out
    .join('')
    .replace(/[^\S\n\u00a0]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
}
