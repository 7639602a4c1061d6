/**
 * What a received or typed text is: exactly one of a number, a word of the test's own list, a declared «no result», or
 * nothing that can be a result of this test. Pure.
 */
import { type Bound, type Choice, dilution, measured, numberText, sameText } from './values.ts'
import type { ValueType } from './words.ts'

export const valueKinds = { number: 'Число', word: 'Слово', none: 'Нет результата' } as const
export type ValueKind = keyof typeof valueKinds

/** What a word of a device means in the test's list; `value` null: no result. */
export interface Meaning {
  said: string
  value: string | null
}

export interface Measurable {
  type: ValueType
  choices: readonly Choice[] | null
}

export type Reading =
  | { kind: 'number'; value: string; number: number; bound?: Bound }
  | { kind: 'word'; value: string }
  /** `value` is the reason. */
  | { kind: 'none'; value: string }
  | { kind: 'aside'; why: 'empty' | 'form' }

/** Placeholders of displays: `-----`, `**.*`, `++++`. A single sign may be a word of a strip. */
const PLACEHOLDER = /^[-*?.#=_\s]{2,}$/

/**
 * Reads a value of an analyte.
 * @param meanings of the code of the device; none for what people type
 */
export function readValue({ type, choices }: Measurable, text: string, meanings: readonly Meaning[] = []): Reading {
  const trimmed = text.trim()
  if (trimmed === '') return { kind: 'aside', why: 'empty' }
  const meaning = meanings.find((one) => sameText(one.said, trimmed))
  if (meaning) return meaning.value === null ? { kind: 'none', value: trimmed } : { kind: 'word', value: meaning.value }
  const own = choices?.find(({ value }) => sameText(value, trimmed))
  if (own) return { kind: 'word', value: own.value }
  if (type === 'number') {
    const value = numberText(trimmed)
    if (value === undefined) return { kind: 'aside', why: 'form' }
    return { kind: 'number', value, ...(measured(value) as { number: number; bound?: Bound }) }
  }
  const isWord =
    type === 'titer'
      ? dilution(trimmed) !== undefined
      : type === 'text' && !PLACEHOLDER.test(trimmed) && !(choices?.length ?? 0)
  return isWord ? { kind: 'word', value: trimmed } : { kind: 'aside', why: 'form' }
}
