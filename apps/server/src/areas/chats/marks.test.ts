import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createMarks, type Marks } from './marks.ts'

/** A fanout that delivers at once. */
function fanout() {
  const listeners: ((payload: string) => void)[] = []
  return {
    publish: (_channel: string, payload: string) => {
      for (const listener of listeners) listener(payload)
    },
    subscribe: (_channel: string, listener: (payload: string) => void) => {
      listeners.push(listener)
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
const people = (idChat = 1) => marks.of(idChat, ME).people.map(({ name, writes }) => `${name}${writes ? ' пишет' : ''}`)

it('expires marks within seconds, and writes fewer of them', () => {
  marks.typing(1, anna, true)
  marks.typing(1, undefined, true)
  expect([people(), marks.of(1, ME).visitorWrites]).toEqual([['Анна пишет'], true])
  vi.advanceTimersByTime(5_900)
  marks.typing(1, boris, false)
  expect(people()).toEqual(['Анна пишет', 'Борис'])
  vi.advanceTimersByTime(200)
  expect([people(), marks.of(1, ME).visitorWrites]).toEqual([['Анна', 'Борис'], false])
  vi.advanceTimersByTime(6_000)
  expect(people()).toEqual(['Борис'])
  vi.advanceTimersByTime(6_000)
  expect(people()).toEqual([])
})

it('shows no marks of another chat, nor own ones', () => {
  marks.typing(1, anna, true)
  expect(people(2)).toEqual([])
  expect(marks.of(1, anna.id).people).toEqual([])
})

it('limits viewers of a chat, and drops chats without viewers above the limit', () => {
  for (let id = 10; id < 80; id++) marks.typing(1, { id, name: `Кто-то ${id}` }, false)
  expect(people()).toHaveLength(50)
  for (let idChat = 2; idChat <= 5_000; idChat++) marks.typing(idChat, anna, false)
  marks.typing(6_000, anna, false)
  expect(people(6_000)).toEqual([])
  vi.advanceTimersByTime(13_000)
  marks.typing(6_000, anna, false)
  expect(people(6_000)).toEqual(['Анна'])
})
