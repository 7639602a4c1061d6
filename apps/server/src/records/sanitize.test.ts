/** Any rich text sent to any entity is stored without scripts and external requests. */
import { entities } from '@ordinator/model/entities'
import type { AnyField, Entity } from '@ordinator/model/entity'
import { labelsOf } from '@ordinator/model/fields/choice'
import { isWritable } from '@ordinator/model/fields/field'
import { isRef } from '@ordinator/model/fields/ref'
import { permissionNames } from '@ordinator/model/permissions'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parse, parseFragment, serialize } from 'parse5'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { xss } from '#testing/xss.ts'
import { systemActor } from './actor.ts'
import { hasTooManySigns, sanitize, whyNotCleaned } from './sanitize.ts'

const TAGS =
  'p br hr h1 h2 h3 h4 strong b em i u s mark code pre blockquote ul ol li a img table thead tbody tr th td span sub sup'
const ATTRIBUTES: Record<string, string> = {
  a: 'href target rel',
  img: 'src alt width height',
  td: 'colspan rowspan',
  th: 'colspan rowspan',
  span: 'data-type data-id data-label',
}

let clinic: Clinic
let all: Caller
let me: number
beforeAll(async () => {
  clinic = await testApp({ prepare: async (app) => void (me = (await addPerson(app, 'all', permissionNames)).id) })
  all = clinic.as('all')
})
afterAll(() => clinic.close())

/** Forbidden content a browser would find in the text, using a standard HTML parser. */
function faults(html: string): string[] {
  const found: string[] = []
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    if (node.nodeName === '#comment') found.push('comment')
    if ('tagName' in node) {
      const tag = node.tagName
      if (!TAGS.split(' ').includes(tag) || !node.namespaceURI.endsWith('/xhtml')) found.push(`<${tag}>`)
      for (const { name, value } of node.attrs) {
        if (!(ATTRIBUTES[tag] ?? '').split(' ').includes(name)) found.push(`${tag} ${name}`)
        if (name === 'href' && !isLink(value)) found.push(`link ${value}`)
        if (name === 'src' && !/^\/files\/\d+(\/(small|medium|large))?$/.test(value)) found.push(`picture ${value}`)
        if (name === 'data-type' && !['mention', ''].includes(value)) found.push(`data-type ${value}`)
        if ((name === 'target' && value !== '_blank') || (name === 'rel' && value !== 'noopener noreferrer'))
          found.push(`${name} ${value}`)
      }
    }
    if ('content' in node) walk(node.content)
    if ('childNodes' in node) node.childNodes.forEach(walk)
  }
  walk(parseFragment(html))
  return found
}

function isLink(href: string): boolean {
  const at = URL.parse(href, 'https://clinic.test/app/tasks')
  if (at === null) return true
  const own = at.protocol === 'https:' && at.host === 'clinic.test'
  // An address without a scheme must point to this site.
  return own || (/^(https?|ftp|mailto|tel):/i.test(href) && /^(https?|ftp|mailto|tel):$/.test(at.protocol))
}

/** Checks the text as it is, and after a browser has parsed and serialised it. */
function expectClean(html: string, given: string): void {
  expect(faults(html), given).toEqual([])
  expect(faults(serialize(parseFragment(html))), given).toEqual([])
  const { childNodes } = parse(`<!doctype html><body><div>${html}</div>`)
  expect(
    faults(
      serialize(childNodes[1] as DefaultTreeAdapterTypes.Element).replace(
        /^<head><\/head><body>|<\/?div>|<\/body>$/g,
        '',
      ),
    ),
    given,
  ).toEqual([])
}

/** Texts with placeholders in braces. */
const templates: ReadonlySet<string> = new Set(['consents/versions', 'print-templates'])

const fields = (entities as readonly Entity[]).flatMap((entity) =>
  Object.entries(entity.fields).flatMap(([name, f]) => (f.kind === 'richText' ? [[entity, name] as const] : [])),
)

it('the corpus is large, and dangerous where nothing cleans it', () => {
  expect(new Set(xss).size).toBeGreaterThan(190)
  expect(xss.filter((one) => faults(one).length > 0).length).toBeGreaterThan(150)
})

it('the rich texts of the server are those that the specification has', () => {
  expect(fields.map(([entity, name]) => `${entity.path} ${name}`)).toEqual(
    expect.arrayContaining([
      'tasks-management/tasks description',
      'tasks-management/comments message',
      'sales-management/leads description',
      'sales-management/lead-comments message',
      'sales-management/offer-comments message',
      'news text',
      'news/comments message',
      'regulations/steps description',
      'old-scripts description',
    ]),
  )
})

describe.each(fields.map(([entity, name]) => [`${entity.path} ${name}`, entity, name] as const))(
  '%s',
  (_, entity, name) => {
    it('keeps nothing of it, when made, when changed, and when cleaned once more', async () => {
      // Braces are placeholders of a template, and unknown ones are refused before cleaning.
      const corpus = templates.has(entity.path) ? xss.map((one) => one.replace(/[{}]/g, '')) : xss
      const base = await bodyOf(entity)
      const path = `/${entity.path}`
      const ids: number[] = []
      for (const part of chunks(corpus, 100)) {
        const create = part.map((payload) => ({ ...base, [name]: `<p>${MARK}</p>${payload}` }))
        const made = entity.access.create
          ? good(await all.post(`${path}/batch`, { create })).create
          : await Promise.all(
              create.map((body) => clinic.context.engine.for({ ...systemActor, id: me }).create(entity, body as never)),
            )
        ids.push(...made.map(({ id }: { id: number }) => id))
      }
      await expectAll(ids, (at) => corpus[at] as string)
      if (!entity.access.update) return
      const turned = (at: number) => corpus[(at + 1) % corpus.length] as string
      for (const part of chunks([...ids.entries()], 100)) {
        const update = part.map(([at, id]) => ({ id, [name]: `<p>${MARK} ${MARK}</p>${turned(at)}` }))
        good(await all.post(`${path}/batch`, { update }))
      }
      await expectAll(ids, turned)

      async function expectAll(wanted: readonly number[], payload: (at: number) => string) {
        for (const [from, part] of chunks(wanted, 100).entries()) {
          const query = `filter[id][in]=${part.join()}&fields=id,${name}&limit=100`
          const { items } = good<{ items: Record<string, unknown>[] }>(await all.get(`${path}?${query}`))
          const kept = new Map(items.map((row) => [row.id, row[name] as string]))
          for (const [at, id] of part.entries()) {
            const [text, given] = [kept.get(id) ?? '', payload(from * 100 + at)]
            expect(text).toContain(MARK)
            expectClean(text, given)
            expect(sanitize(text), given).toBe(text)
          }
        }
      }
    })
  },
)

it('what people write is kept as it is', () => {
  for (const html of [
    '<h2>Заголовок</h2><p>Да, <strong>да</strong>, <em>нет</em>, <u>x</u>, <s>y</s></p>',
    '<ul><li><p>один</p></li></ul><ol><li><p>два</p></li></ol><blockquote><p>q</p></blockquote>',
    '<p>1 &lt; 2 &amp;&amp; 3 &gt; 2, «кавычки» и "кавычки"</p>',
    '<p><span data-type="mention" data-id="7" data-label="Иванов И. И.">@Иванов И. И.</span></p>',
    '<p><img src="/files/12/medium" alt="Схема" width="100" height="50" /></p>',
    '<p><a href="https://clinic.example/a?b=1&amp;c=2" rel="noopener noreferrer" target="_blank">x</a></p>',
    '<p><a href="ftp://files.clinic.example/plan.pdf" rel="noopener noreferrer" target="_blank">x</a></p>',
    '<p><a href="tel:+79001112233" rel="noopener noreferrer" target="_blank">x</a></p>',
    '<table><tbody><tr><td colspan="2"><p>x</p></td></tr></tbody></table>',
    '<pre><code>if (a &lt; b) alert(1)</code></pre>',
  ])
    expect(sanitize(html)).toBe(html)
  expect(sanitize('<div>раз</div><div>два</div>')).toBe('<p>раз</p><p>два</p>')
})

const MARK = 'остаётся'

/** Minimal body of a record; its parents are created on the way. */
async function bodyOf(entity: Entity): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {}
  for (const [name, f] of Object.entries(entity.fields) as [string, AnyField][]) {
    if (!f.options.required || !isWritable(f) || f.options.default !== undefined) continue
    if (isRef(f)) body[name] = await parent(f.to)
    // Comments refer to their task by kind and number.
    else if (name === 'idEntity') body[name] = await parent('tasks-management/tasks')
    else if (f.kind === 'text' || f.kind === 'richText') body[name] = 'Текст'
    else body[name] = 'task' in labelsOf(f) ? 'task' : f.sample(0)
  }
  return body
}

async function parent(path: string): Promise<number> {
  const { entity } = clinic.context.registry.at(path)
  const body = await bodyOf(entity)
  return (await clinic.context.engine.for({ ...systemActor, id: me }).create(entity, body as never)).id
}

describe('paragraphs of words', () => {
  it('are what the allow-list makes of them', () => {
    const sign = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('<', '>', '&', '"', '\0', '\r\n', '</p>', '&amp;'),
    )
    const words = fc.array(sign, { maxLength: 4 }).map((signs) => signs.join(''))
    const text = fc
      .array(words, { minLength: 1, maxLength: 3 })
      .map((all) => all.map((one) => `<p>${one}</p>`).join(''))
    fc.assert(
      fc.property(text, (html) => {
        // The suffix forces the slow path.
        expect(`${sanitize(html)}<hr />`).toBe(sanitize(`${sanitize(html)}<hr />`))
      }),
      { numRuns: 100 },
    )
  })
})

const chunks = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))

describe('what a text costs', () => {
  it('is bounded before it is cleaned: elements within elements without end are refused', async () => {
    const { status, body } = await all.post('/news', { title: 'Новость', text: '<b>'.repeat(60_000) })
    expect([status, body[0]]).toEqual([422, { field: 'text', message: 'В тексте слишком много вложенных элементов' }])
    const paragraphs = await all.post('/news', { title: 'Новость', text: '<p>Слова'.repeat(1_000) })
    expect(paragraphs.status).toBe(201)
  })

  it.each(['<b></i>', '<p><td>', '<li><b></i>', '<div>'])('nor do %s without end hide that they go deep', (part) => {
    expect(whyNotCleaned(part.repeat(2_000))).toBe('В тексте слишком много вложенных элементов')
  })

  it.each(['<b></b>', '<p>Слова', '<li>Пункт', '<tr><td>Ячейка', '<br>', '<img src="/files/1">'])(
    'any number of %s one after another is none within another',
    (part) => {
      expect(whyNotCleaned(part.repeat(5_000))).toBeUndefined()
    },
  )

  it('is held to its length as it is stored', async () => {
    const { status, body } = await all.post('/news', { title: 'Новость', text: '&'.repeat(199_000) })
    expect([status, body[0].field]).toEqual([422, 'text'])
    expect((await all.post('/news', { title: 'Новость', text: '&'.repeat(39_000) })).status).toBe(201)
  })
})

it('a text of nothing but signs is not worth the cleaning, one with many of them is', () => {
  expect(hasTooManySigns('&'.repeat(199_000))).toBe(true)
  expect(hasTooManySigns('слово &amp; слово&nbsp;'.repeat(5_000))).toBe(false)
})
