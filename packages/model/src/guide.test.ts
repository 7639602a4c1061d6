import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findInGuide, readGuide, spansOf } from './guide.ts'
import { pageSections } from './page.ts'
import { pages } from './pages.ts'

const DOCS = join(import.meta.dirname, '../../../docs')
const files = globSync('*.md', { cwd: join(DOCS, 'guide') }).sort()
const guide = files.flatMap((file) => readGuide(readFileSync(join(DOCS, 'guide', file), 'utf8')))

/** Pages without help: outside of the frame, or only the state of the connection, or a yes/no question. */
const plain = ['customerCalls', 'customerChats', 'error', 'incomingCall', 'invitation', 'login', 'socket']

test('the guide describes every page, once, under its own title', () => {
  const shown = guide.map(({ page, title }) => `${page}: ${title}`)
  const wanted = pages.filter(({ key }) => !plain.includes(key)).map(({ key, title }) => `${key}: ${title}`)
  expect(shown.toSorted()).toEqual(wanted.toSorted())
})

test('a page of the menu has its three usual jobs at least, any other page one', () => {
  const inMenu = new Set<string>(pages.flatMap((page) => ('menu' in page ? [page.key] : [])))
  const few = guide.filter(({ page, jobs }) => jobs.length < (inMenu.has(page) ? 3 : 1))
  expect(few.map(({ page }) => page)).toEqual([])
})

test('its jobs are whole sentences, short enough to be read, each given once, and more than the page’s own line', () => {
  const jobs = guide.flatMap((one) => one.jobs)
  expect(jobs.filter((line) => !line.endsWith('.') || line.length > 190)).toEqual([])
  expect(new Set(jobs).size).toBe(jobs.length)
  const own = new Set<string>(pages.map(({ help }) => `${help}.`))
  expect(jobs.filter((line) => own.has(line))).toEqual([])
})

test('the guide is a file for each section of the menu, and its first page leads to all of them', () => {
  expect(files).toEqual([...Object.keys(pageSections), 'general'].map((name) => `${name}.md`).toSorted())
  const first = readFileSync(join(DOCS, 'guide.ru.md'), 'utf8')
  expect([...first.matchAll(/\]\(guide\/(\w+\.md)\)/g)].map(([, file]) => file).toSorted()).toEqual(files)
})

test('words are found by their beginning, whatever the ending, the title first', () => {
  const two = readGuide(
    '# Приём\n\n## Касса\n<!-- page: cash -->\n\n- N принимает оплату.\n\n### Подробнее\n\n**Возврат** скидки.\n\n## Скидки\n<!-- page: discounts -->\n\n- Новая.\n',
  )
  expect(findInGuide(two, 'скидку').map(({ page }) => page)).toEqual(['discounts', 'cash'])
  expect(findInGuide(two, 'возврат скидок')).toEqual([{ page: 'cash', title: 'Касса', line: 'Возврат скидки.' }])
  expect(findInGuide(two, 'ск')).toEqual([])
  expect(findInGuide(two, 'анализы')).toEqual([])
})

test('inline marks become spans; a section without its page is refused', () => {
  expect(spansOf('Нажмите **N**, `Ctrl+K` или [сюда](https://a.ru).')).toEqual([
    { text: 'Нажмите ' },
    { text: 'N', as: 'strong' },
    { text: ', ' },
    { text: 'Ctrl+K', as: 'code' },
    { text: ' или ' },
    { text: 'сюда', href: 'https://a.ru' },
    { text: '.' },
  ])
  expect(() => readGuide('## Касса\n\n- Раз.\n')).toThrow('«Касса» names no page')
})
