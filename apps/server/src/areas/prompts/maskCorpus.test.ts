/** Masking measured on a corpus: leaks by kind, and false masks in texts of examinations. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Lexicon, plainWord, wordsOf } from '@ordinator/model/areas/prompts/lexicon'
import { maskPersonal } from '@ordinator/model/areas/prompts/mask'
import { medicineStems } from '@ordinator/model/areas/prompts/medicines'
import { beforeAll, expect, test } from 'vitest'
import { demoTemplates } from '#areas/examinations/index.ts'
import { MIGRATIONS } from '#platform/migrate.ts'
import { lexiconOf, stemOf } from './lexicon.ts'
import { lookUp, ready } from './lexiconWorker.ts'
import { phrases } from './testing/maskCorpus.ts'

const vocabulary = {
  medical: new Set([
    ...readdirSync(MIGRATIONS)
      .filter((file) => /_icd10_class_\d\d\.sql$/.test(file))
      .flatMap((file) => plainWord(readFileSync(join(MIGRATIONS, file), 'utf8')).match(/[а-я]{3,}/g) ?? [])
      .map(stemOf),
    ...medicineStems,
  ]),
  public: new Set<string>(),
}
const lexiconFor = (text: string): Lexicon =>
  lexiconOf(new Map(wordsOf(text).map((word) => [word, lookUp(word)])), vocabulary)
const masked = (text: string): string => maskPersonal(text, lexiconFor(text)).text

beforeAll(() => ready)

test('of a thousand phrases at most one in two hundred leaks, and no number', () => {
  const all = phrases()
  const leaks = all.flatMap(({ is, text, secrets }) => {
    const sent = masked(text)
    const left = secrets.filter((secret) => sent.includes(secret))
    return left.length > 0 ? [{ is, text, sent, left: left.join(', ') }] : []
  })
  const kinds = Object.entries(Object.groupBy(all, ({ is }) => is)).map(
    ([is, of]) => `${is} ${leaks.filter((leak) => leak.is === is).length}/${of.length}`,
  )
  console.log(`leaks: ${leaks.length} of ${all.length} (${kinds.join(', ')})`)
  for (const leak of leaks) console.log(`${leak.is}: ${leak.sent} (${leak.left})`)
  expect(all.length).toBeGreaterThanOrEqual(1_000)
  expect(leaks.filter(({ is }) => is === 'number')).toEqual([])
  expect(leaks.length / all.length, JSON.stringify(leaks, null, 1)).toBeLessThanOrEqual(0.005)
})

test('of the words of two hundred examinations at most one in twenty is masked', () => {
  const texts = examinations()
  expect(texts.length).toBe(200)
  let words = 0
  const falsely = new Map<string, number>()
  for (const text of texts) {
    words += text.match(/[\p{L}\d]+/gu)?.length ?? 0
    for (const { value } of maskPersonal(text, lexiconFor(text)).found)
      falsely.set(value, (falsely.get(value) ?? 0) + value.split(/\s+/).length)
  }
  const count = [...falsely.values()].reduce((sum, one) => sum + one, 0)
  console.log(
    `false masks: ${count} of ${words} words; ${[...falsely].map(([value, times]) => `${value} ${times}`).join(', ')}`,
  )
  expect(count / words).toBeLessThanOrEqual(0.05)
})

/** Texts by the phrases of the demo's forms: complaints, history, state, diagnosis, prescriptions. */
function examinations(): string[] {
  const texts: string[] = []
  for (let n = 0; texts.length < 200; n++) {
    const { name, form, prescriptions, recommendations } = demoTemplates[
      n % demoTemplates.length
    ] as (typeof demoTemplates)[number]
    const lines = form.sections.flatMap(({ title, fields }) => [
      title,
      ...fields.map((field, at) => {
        const options = [...(field.phrases ?? []), ...(field.options ?? [])]
        return `${field.label}: ${options.length > 0 ? options.filter((_, m) => (m + n + at) % 2 === 0).join('. ') : 'без особенностей'}`
      }),
    ])
    const taken = prescriptions.map((one) => one.join(', '))
    texts.push([name, ...lines, 'Назначения:', ...taken, 'Рекомендации:', ...recommendations].join('\n'))
  }
  return texts
}
