import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wordDiff } from './wordDiff.ts'

const side = (parts: ReturnType<typeof wordDiff>, without: string) =>
  parts.filter(({ kind }) => kind !== without).reduce((text, part) => text + part.text, '')

it('shows what was taken away and what was added', () => {
  expect(wordDiff('позвонить пациенту утром', 'позвонить родителям утром')).toEqual([
    { kind: 'same', text: 'позвонить ' },
    { kind: 'removed', text: 'пациенту' },
    { kind: 'added', text: 'родителям' },
    { kind: 'same', text: ' утром' },
  ])
  expect(wordDiff('одно', 'одно')).toEqual([{ kind: 'same', text: 'одно' }])
  expect(wordDiff('', '')).toEqual([])
})

it('holds both texts, whatever they are', () => {
  const text = fc.array(fc.constantFrom('а', 'б', 'в', 'г')).map((words) => words.join(' '))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = wordDiff(before, after)
      expect([side(parts, 'added'), side(parts, 'removed')]).toEqual([before, after])
    }),
  )
})

it('takes long texts in its stride', () => {
  const long = (word: string) => Array.from({ length: 20_000 }, (_, i) => `${word}${i}`).join(' ')
  expect(wordDiff(long('а'), long('б')).map(({ kind }) => kind)).toEqual(['removed', 'added'])
})
