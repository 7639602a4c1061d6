import { gzipSync } from 'node:zlib'
import { ChatDomain } from '@ordinator/model/areas/chats/chatSettings'
import { expect, it } from 'vitest'
import { LOADER, PAGE, PANEL } from './widget.ts'

const size = (text: string): number => gzipSync(text).length

it('keeps the loader within 5 kB, and the panel within 60 kB', () => {
  expect(size(LOADER)).toBeLessThan(5 * 1024)
  expect(size(PANEL)).toBeLessThan(60 * 1024)
})

it('does nothing on the page before it is opened: no request, no storage, no cookie', () => {
  const before = LOADER.slice(0, LOADER.indexOf('const toggle'))
  expect(LOADER).not.toMatch(/cookie|XMLHttpRequest|fetch\(|WebSocket/)
  expect(before.replace(/const recall = [\s\S]*?\n {2}\}\n/, '')).not.toMatch(/localStorage/)
})

it('shows an answer while it is closed, in Russian and English', () => {
  expect(LOADER).toContain('document.title')
  expect(PANEL).toMatch(/while \(token && \(shown \|\| live\)\)/)
  // Every Russian text of the panel has an English one.
  const known = new Set(
    [...PANEL.matchAll(/^ {4}(?:'([^']+)'|([А-Яа-яё]+)):/gm)].map(([, quoted, bare]) => quoted ?? bare),
  )
  const phrases = [...PANEL.matchAll(/(?:note|\bt)\('([А-Яа-яё][^']*)'\)/g)].map(([, word]) => word)
  expect(phrases.length).toBeGreaterThan(5)
  expect(phrases.filter((word) => !known.has(word as string))).toEqual([])
  // So has the default text of a site, and each label of the page.
  const { greeting, offlineText, consentText } = ChatDomain.fields
  for (const { options } of [greeting, offlineText, consentText]) expect(known).toContain(options.default)
  const page = [
    ...PAGE.replace(/<style>.*<\/style>/s, '').matchAll(
      /(?:>|(?:aria-label|title|placeholder)=")([^<"]*[А-Яа-я][^<"]*)/g,
    ),
  ]
  expect(page.length).toBeGreaterThan(10)
  const rated = /^Оценка \d из 5$/
  expect(page.map(([, word = '']) => word).filter((word) => !known.has(word) && !rated.test(word))).toEqual([])
})

it('inserts foreign content only as text', () => {
  expect(PANEL).not.toMatch(/innerHTML|insertAdjacent|document\.write|eval\(/)
})
