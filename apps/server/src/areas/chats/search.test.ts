/** Search of messages by words, newest first: paged without gaps or repeats for any ids. */
import type { ChatMessage } from '@ordinator/model/areas/chats/liveAssist'
import type { Row } from '@ordinator/model/entity'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let operator: Caller

beforeAll(async () => {
  clinic = await testApp({ prepare: (app) => addPerson(app, 'operator', ['supportOperator']) })
  operator = clinic.as('operator')
  await clinic.db.query({ text: `insert into live_assist ("id", "name") values (1, 'Вера')` })
})
beforeEach(() => clinic.db.query({ text: 'delete from live_assist_messages' }))
afterAll(() => clinic.close())

type Line = readonly [id: number, text: string]
const keep = (lines: readonly Line[]) =>
  clinic.db.query({
    text: `insert into live_assist_messages ("id", "idLiveAssist", "seq", "no", "kind", "clientId", "message")
      select id, 1, n, n, 'visitor', 'c' || n, message from unnest($1::bigint[], $2::text[]) with ordinality l (id, message, n)`,
    values: [lines.map(([id]) => id), lines.map(([, text]) => text)],
  })

/** All results over consecutive pages. */
async function found(text: string, limit: number, more = ''): Promise<number[]> {
  const ids: number[] = []
  let after = ''
  for (;;) {
    const page = good(
      await operator.get(
        `/live-assist/messages?filter[message][ilike]=${encodeURIComponent(text)}&sort=-id&limit=${limit}&after=${after}${more}`,
      ),
    )
    expect(page.items.length).toBeLessThanOrEqual(limit)
    ids.push(...(page.items as Row<typeof ChatMessage>[]).map(({ id }) => id))
    if (!page._meta.hasMore) return ids
    expect(page.items).toHaveLength(limit)
    after = page._meta.next
  }
}

const words = ['анализ', 'Ильина', 'приём', 'УЗИ (брюшной)', '50%']

it('finds lines with all of the words, anywhere among millions of ids', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(
        fc.tuple(
          // Near the end of each bucket and anywhere: the boundaries of search steps.
          fc.oneof(
            fc.integer({ min: 1, max: 3_000_000 }),
            fc
              .tuple(
                fc.constantFrom(2_048, 16_384, 131_072),
                fc.integer({ min: 1, max: 22 }),
                fc.integer({ min: -2, max: 2 }),
              )
              .map(([size, at, aside]) => size * at + aside),
          ),
          fc.subarray(words).map((some) => some.join(', ')),
        ),
        { selector: ([id]) => id, minLength: 1, maxLength: 60 },
      ),
      fc.subarray(words, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 7 }),
      async (lines, sought, limit) => {
        await clinic.db.query({ text: 'delete from live_assist_messages' })
        await keep(lines)
        const has = ([, text]: Line) =>
          sought.every((word) => word.split(' ').every((part) => text.toLowerCase().includes(part.toLowerCase())))
        const expected = lines
          .filter(has)
          .map(([id]) => id)
          .sort((a, b) => b - a)
        expect(await found(sought.join('  '), limit)).toEqual(expected)
      },
    ),
    { numRuns: runs(40, 1_000) },
  )
})

it('finds words in any order, and only within the chat when limited to one', async () => {
  await keep([
    [1, 'Готов ли мой анализ? Ильина'],
    [2, 'анализ Петровой'],
    [5_000_000, 'Ильина сдала кровь, анализ завтра'],
  ])
  expect(await found('ильина АНАЛИЗ', 10)).toEqual([5_000_000, 1])
  expect(await found('Ильина сдала кровь анализ завтра', 10)).toEqual([5_000_000])
  expect(await found('Ильина завтра анализ кровь сдала', 10)).toEqual([])
  expect(await found('анализ', 10, '&filter[idLiveAssist]=2')).toEqual([])
  const count = good(await operator.get('/live-assist/messages?filter[message][ilike]=анализ&sort=-id&limit=1&count=1'))
  expect(count._meta).toMatchObject({ totalCount: 3, hasMore: true })
})
