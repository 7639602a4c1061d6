/**
 * Parses a language model's answer. Untrusted: must be one JSON object of the expected shape; unknown parts are
 * dropped, an unreadable answer is rejected. Pure.
 */
import { type CheckItem, type checkAnswers, checkItems } from '../calls/checkList.ts'
import type { Diagnosis } from '../examinations/examination.ts'
import { type FormField, isObject } from '../examinations/form.ts'
import { wrongValue } from '../examinations/formValues.ts'
import { partOf } from '../examinations/parts.ts'
import type { OutputField } from './template.ts'

/** Maximum bytes of an answer; a longer one is rejected. */
export const MAX_ANSWER = 60_000
const MAX_WORDS = 4_000
const MAX_LIST = 20

export interface CallAnswer {
  summary: string
  reason: string
  outcome: string
  objections: string[]
  /** Results of the check list, by the model. */
  checks: Partial<Record<CheckItem, keyof typeof checkAnswers>>
  /** Percent of the applicable items; null: none apply. */
  score: number | null
  /** `date`: ISO 8601, in the future; null: none. */
  nextStep: { text: string; date: string | null } | null
  /** The prompt's additional fields, by key. */
  more: Record<string, string>
}

/** Stored answer of a finished call run. */
export const callAnswerOf = ({ output }: { output: Record<string, unknown> | null }): CallAnswer => {
  const { summary, reason, outcome, objections, checks, score, nextStep, more } = (output ?? {}) as Partial<CallAnswer>
  return {
    summary: summary ?? '',
    reason: reason ?? '',
    outcome: outcome ?? '',
    objections: objections ?? [],
    checks: checks ?? {},
    score: score ?? null,
    nextStep: nextStep ?? null,
    more: more ?? {},
  }
}

/** Values offered for an examination, by part. */
export interface ProtocolAnswer {
  parts: Record<string, unknown>
}

export type Read<T> = { answer: T } | { nonsense: string }

/** The JSON object in an answer: alone, in a Markdown fence, or within text. */
export function jsonIn(text: string): Record<string, unknown> | undefined {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(text)?.[1]
  for (const candidate of [text, fenced, text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)]) {
    if (!candidate?.trim().startsWith('{')) continue
    try {
      const value: unknown = JSON.parse(candidate)
      if (isObject(value)) return value
    } catch {
      // Try the next candidate.
    }
  }
  return undefined
}

const clean = (value: unknown, max: number): string =>
  typeof value === 'string'
    ? value.replaceAll('\0', '').trim().slice(0, max)
    : typeof value === 'number'
      ? String(value)
      : ''

const words = (value: unknown, max = MAX_WORDS): string => clean(value, max)
const listOf = (value: unknown, max: number): string[] =>
  (Array.isArray(value) ? value : value ? [value] : [])
    .map((one) => clean(isObject(one) ? (one.name ?? one.text) : one, max))
    .filter(Boolean)
    .slice(0, MAX_LIST)

const NO_JSON = 'Нейросеть ответила не в том виде, в каком её просили'

/** @param now milliseconds: the next step must be later */
export function readCallAnswer(text: string, more: readonly OutputField[], now: number): Read<CallAnswer> {
  const answer = jsonIn(text)
  if (!answer) return { nonsense: NO_JSON }
  const summary = words(answer.summary)
  if (!summary) return { nonsense: 'В ответе нет краткого содержания разговора' }
  const checks = checksIn(answer.checks ?? answer.checklist)
  return {
    answer: {
      summary,
      reason: words(answer.reason, 500),
      outcome: words(answer.outcome, 500),
      objections: listOf(answer.objections, 500),
      checks,
      score: scoreOf(checks),
      nextStep: stepIn(answer.nextStep, now),
      more: Object.fromEntries(more.map(({ key }) => [key, words(answer[key])]).filter(([, value]) => value)),
    },
  }
}

function checksIn(value: unknown): CallAnswer['checks'] {
  if (!isObject(value)) return {}
  const read: CallAnswer['checks'] = {}
  for (const item of Object.keys(checkItems) as CheckItem[]) {
    const answer = value[item]
    if (answer === true || answer === 'yes') read[item] = 'yes'
    else if (answer === false || answer === 'no') read[item] = 'no'
    else if (answer === 'na' || answer === 'n/a' || answer === null) read[item] = 'na'
  }
  return read
}

/** Percent of the applicable items that are met (screens.md §4), weighted, 1 by default; null if none apply. */
export function scoreOf(checks: CallAnswer['checks'], weights: Partial<Record<CheckItem, number>> = {}): number | null {
  let met = 0
  let applicable = 0
  for (const [item, answer] of Object.entries(checks) as [CheckItem, keyof typeof checkAnswers][]) {
    if (answer === 'na') continue
    const weight = weights[item] ?? 1
    applicable += weight
    if (answer === 'yes') met += weight
  }
  return applicable ? Math.round((100 * met) / applicable) : null
}

function stepIn(value: unknown, now: number): CallAnswer['nextStep'] {
  const text = words(isObject(value) ? value.text : value, 255)
  if (!text) return null
  const at = isObject(value) && typeof value.date === 'string' ? Date.parse(value.date) : Number.NaN
  return { text, date: Number.isFinite(at) && at > now ? new Date(at).toISOString() : null }
}

/** True for field types that an answer can fill: text, numbers and choices. */
export const isFillable = ({ type }: FormField): boolean =>
  type === 'text' || type === 'rich' || type === 'number' || type === 'choice' || type === 'multi' || type === 'scale'

/** Fields of a form that a prompt fills: those named by key or label, or all fillable ones. */
export function filledFields(fields: Iterable<FormField>, schema: readonly OutputField[]): FormField[] {
  const all = [...fields].filter(isFillable)
  if (schema.length === 0) return all
  const named = new Set(schema.flatMap(({ key, label }) => [key.toLowerCase(), label.trim().toLowerCase()]))
  return all.filter(({ key, label }) => named.has(key.toLowerCase()) || named.has(label.trim().toLowerCase()))
}

/**
 * @param fields the requested ones
 * @returns parts with valid values; invalid ones are dropped
 */
export function readProtocolAnswer(text: string, fields: readonly FormField[]): Read<ProtocolAnswer> {
  const answer = jsonIn(text)
  if (!answer) return { nonsense: NO_JSON }
  const values = isObject(answer.fields) ? answer.fields : answer
  const parts: Record<string, unknown> = {}
  for (const field of fields) {
    const value = valueFor(field, values[field.key])
    if (value !== undefined && !wrongValue(field, value)) parts[partOf(field.key)] = value
  }
  const diagnoses = diagnosesIn(answer.diagnoses ?? answer.diagnosis)
  if (diagnoses.length) parts.diagnoses = diagnoses
  const advice = listOf(answer.recommendations ?? answer.advice, 1_000)
  if (advice.length) parts.recommendations = advice
  return Object.keys(parts).length
    ? { answer: { parts } }
    : { nonsense: 'В ответе нет ничего, что подошло бы к полям осмотра' }
}

function valueFor({ type, options = [] }: FormField, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined
  if (type === 'number' || type === 'scale') {
    const number = typeof value === 'number' ? value : Number(String(value).replace(',', '.'))
    return Number.isFinite(number) ? number : undefined
  }
  const same = (word: unknown) => options.find((option) => option.toLowerCase() === clean(word, 500).toLowerCase())
  if (type === 'choice') return same(value)
  if (type === 'multi') {
    const chosen = listOf(value, 500).flatMap((word) => same(word) ?? [])
    return chosen.length ? [...new Set(chosen)] : undefined
  }
  const written = Array.isArray(value) ? listOf(value, MAX_WORDS).join('; ') : clean(value, MAX_WORDS)
  if (!written) return undefined
  // Rich text is HTML; the model's answer is plain text.
  return type === 'rich'
    ? `<p>${written.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '</p><p>')}</p>`
    : written
}

function diagnosesIn(value: unknown): Diagnosis[] {
  const found: Diagnosis[] = []
  for (const one of Array.isArray(value) ? value : [value]) {
    if (!isObject(one)) continue
    const code = clean(one.code, 10).toUpperCase()
    const name = clean(one.name, 500)
    if (!/^[A-Z]\d{2}(\.\d{1,2})?$/.test(code) || !name || found.some((other) => other.code === code)) continue
    found.push({ code, name, kind: found.length ? 'accompanying' : 'main', type: 'preliminary' })
  }
  return found.slice(0, MAX_LIST)
}
