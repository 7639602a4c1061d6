import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createMarks, type Marks } from './marks.ts'

/** A fanout that delivers at once. */
function fanout() {
  const heard: ((payload: string) => void)[] = []
  return {
    publish: (_channel: string, payload: string) => {
      for (const tell of heard) tell(payload)
    },
    subscribe: (_channel: string, tell: (payload: string) => void) => {
      heard.push(tell)
      return () => undefined
    },
  }
}

const [anna, boris] = [
  { id: 1, name: 'Анна' },
  { id: 2, name: 'Борис' },
]
const ME = 9
let marks: Marks
beforeEach(() => {
  vi.useFakeTimers()
  marks = createMarks(fanout())
})
afterEach(() => {
  vi.useRealTimers()
})
const seen = (idChat = 1) => marks.of(idChat, ME).people.map(({ name, writes }) => `${name}${writes ? ' пишет' : ''}`)

it('expires marks within seconds, and writes fewer of them', () => {
  marks.tell(1, anna, true)
  marks.tell(1, undefined, true)
  expect([seen(), marks.of(1, ME).visitorWrites]).toEqual([['Анна пишет'], true])
  vi.advanceTimersByTime(5_900)
  marks.tell(1, boris, false)
  expect(seen()).toEqual(['Анна пишет', 'Борис'])
  vi.advanceTimersByTime(200)
  expect([seen(), marks.of(1, ME).visitorWrites]).toEqual([['Анна', 'Борис'], false])
  vi.advanceTimersByTime(6_000)
  expect(seen()).toEqual(['Борис'])
  vi.advanceTimersByTime(6_000)
  expect(seen()).toEqual([])
})

it('shows no marks of another chat, nor own ones', () => {
  marks.tell(1, anna, true)
  expect(seen(2)).toEqual([])
  expect(marks.of(1, anna.id).people).toEqual([])
})

it('limits viewers of a chat, and drops chats without viewers above the limit', () => {
  for (let id = 10; id < 80; id++) marks.tell(1, { id, name: `Кто-то ${id}` }, false)
  expect(seen()).toHaveLength(50)
  for (let idChat = 2; idChat <= 5_000; idChat++) marks.tell(idChat, anna, false)
  marks.tell(6_000, anna, false)
  expect(seen(6_000)).toEqual([])
  vi.advanceTimersByTime(13_000)
  marks.tell(6_000, anna, false)
  expect(seen(6_000)).toEqual(['Анна'])
})
