/** An examination in words, for the screen and for paper. */
import { formatDay, formatNumber } from '../../format.ts'
import { type Diagnosis, diagnosisKinds, diagnosisTypes, type Prescription } from './examination.ts'
import { type FormField, type FormValues, type PictureMark, type ReadyForm, valueIn } from './form.ts'
import { derive, isFilled, isTerm, outOfNorm } from './formValues.ts'
import { type ToothState, toothNumbers, toothStates } from './teeth.ts'

export interface ReadLine {
  key: string
  label: string
  /** Plain text; empty for `html`. */
  text: string
  html?: string
  /** The picture with the marks described by the text. */
  drawing?: { picture: string; marks: readonly PictureMark[] }
  /** Outside the norm. */
  mark?: 'low' | 'high'
}
export interface ReadSection {
  title: string
  lines: ReadLine[]
}

/** Sections with their filled visible fields; empty sections are omitted. */
export function readSections(ready: ReadyForm, values: FormValues): ReadSection[] {
  const { hidden, calculated } = derive(ready, values)
  return ready.form.sections
    .map(({ title, fields }) => ({
      title,
      lines: fields.flatMap((field): ReadLine[] => {
        if (hidden.has(field.key)) return []
        const value = field.type === 'calc' ? calculated.get(field.key)?.value : valueIn(values, field.key)
        if (!isFilled(value)) return []
        const { key, label, type } = field
        const mark = typeof value === 'number' ? outOfNorm(field, value) : undefined
        return [
          {
            key,
            label,
            text: type === 'rich' ? '' : valueWords(field, value),
            ...(type === 'rich' && { html: String(value) }),
            ...(type === 'picture' && { drawing: { picture: field.picture ?? 'body', marks: value as PictureMark[] } }),
            ...(mark && { mark }),
          },
        ]
      }),
    }))
    .filter(({ lines }) => lines.length > 0)
}

/** A value as one text. */
export function valueWords({ type, unit, digits, columns = [], max }: FormField, value: unknown): string {
  switch (type) {
    case 'number':
    case 'calc':
      return [formatNumber(value as number, digits), unit].filter(Boolean).join('\u00a0')
    case 'scale':
      return `${value} из ${max}`
    case 'date':
      return formatDay(value as string)
    case 'multi':
      return (value as string[]).join(', ')
    case 'dictionary':
    case 'icd10':
      return isTerm(value) ? termWords(value) : ''
    case 'teeth':
      return teethWords(value as Record<string, ToothState>)
    case 'picture':
      return (value as PictureMark[]).map(({ text }, at) => `${at + 1}. ${text || 'без подписи'}`).join('\n')
    case 'table':
      return (value as string[][])
        .map((row) =>
          columns
            .map((column, at) => (row[at] ? `${column}: ${row[at]}` : ''))
            .filter(Boolean)
            .join('; '),
        )
        .filter(Boolean)
        .join('\n')
    default:
      return String(value)
  }
}

export const termWords = ({ code, name }: { code: string; name: string }): string => `${code} ${name}`

function teethWords(teeth: Readonly<Record<string, ToothState>>): string {
  const byState = new Map<ToothState, string[]>()
  for (const tooth of toothNumbers) {
    const state = teeth[tooth]
    if (state && state !== 'healthy') byState.set(state, [...(byState.get(state) ?? []), tooth])
  }
  return (
    [...byState].map(([state, numbers]) => `${toothStates[state]}: ${numbers.join(', ')}`).join('; ') || 'Все здоровы'
  )
}

export const diagnosisWords = ({ code, name, kind, type, note }: Diagnosis): string =>
  `${diagnosisKinds[kind]}, ${diagnosisTypes[type].toLowerCase()}: ${code} ${name}${note ? ` (${note})` : ''}`

export const prescriptionWords = ({ name, how, term }: Prescription): string =>
  [name, how, term].filter(Boolean).join(', ')
