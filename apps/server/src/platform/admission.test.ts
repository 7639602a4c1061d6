import { expect, test, vi } from 'vitest'
import { type AdmissionLimits, createAdmission, type Place, type Refused, refusalMs } from './admission.ts'

const LIMITS: AdmissionLimits = { running: 4, waiting: 6, person: { running: 2, waiting: 3 }, patienceMs: 60_000 }

/** Enters once for each name and records the order of admission. */
function crowd(limits = LIMITS) {
  const admission = createAdmission(limits)
  const inside: { who: string; place: Place }[] = []
  const refused: [string, Refused][] = []
  const enter = (...names: string[]) => {
    for (const who of names)
      admission.enter(who, (answer) => {
        if (typeof answer === 'string') refused.push([who, answer])
        else inside.push({ who, place: answer })
      })
  }
  const leave = (who: string, ms = 0) => {
    const at = inside.findIndex((one) => one.who === who)
    inside.splice(at, 1)[0]?.place.leave(ms)
  }
  return { enter, leave, refused, inside: () => inside.map(({ who }) => who) }
}

test('one has so many at once, and those who come after him do not wait for the rest of his', () => {
  const { enter, inside } = crowd()
  enter('a', 'a', 'a', 'a', 'b')
  expect(inside()).toEqual(['a', 'a', 'b'])
})

test('who waits is served in turn, one of each', () => {
  const { enter, leave, inside } = crowd()
  enter('a', 'a', 'b', 'b', 'a', 'a', 'b', 'c')
  expect(inside()).toEqual(['a', 'a', 'b', 'b'])
  leave('a')
  leave('a')
  expect(inside()).toEqual(['b', 'b', 'a', 'c'])
  leave('b')
  // a's turn came before the second request of b, which had just been served.
  expect(inside()).toEqual(['b', 'a', 'c', 'b'])
})

test("beyond a person's own queue that person is refused, beyond the common queue anyone", () => {
  const { enter, refused } = crowd()
  enter('a', 'a', 'a', 'a', 'a', 'a')
  expect(refused).toEqual([['a', 'person']])
  enter('b', 'b', 'c', 'd', 'e', 'f')
  expect(refused).toEqual([
    ['a', 'person'],
    ['f', 'total'],
  ])
})

test('who has asked for slow things has fewer at once for a while', () => {
  const { enter, leave, inside } = crowd({
    ...LIMITS,
    person: { ...LIMITS.person, slow: { running: 1, ms: 1_000, memoryMs: 60_000, sumMs: 90_000 } },
  })
  enter('a', 'a', 'a', 'b', 'b')
  leave('a', 1_001)
  expect(inside()).toEqual(['a', 'b', 'b'])
  leave('a')
  expect(inside()).toEqual(['b', 'b', 'a'])
})

test('a person with much total work has fewer calls at once while others wait', () => {
  vi.useFakeTimers()
  try {
    const { enter, leave, inside } = crowd({
      ...LIMITS,
      person: { running: 2, waiting: 9, slow: { running: 1, ms: 1_000, memoryMs: 60_000, sumMs: 3_000 } },
    })
    enter('a', 'a', 'a', 'a', 'a', 'a', 'a', 'a')
    // Alone, a may use all slots.
    vi.advanceTimersByTime(1_500)
    for (let n = 0; n < 4; n++) leave('a', 900)
    expect(inside()).toEqual(['a', 'a'])
    enter('b')
    leave('a', 900)
    expect(inside()).toEqual(['a', 'b'])
    leave('b')
    enter('b')
    // 4.5 s were used: the penalty ends after 1.5 s.
    vi.advanceTimersByTime(900)
    leave('b')
    enter('a', 'b')
    expect(inside()).toEqual(['a', 'b'])
    vi.advanceTimersByTime(800)
    leave('b')
    enter('b')
    expect(inside()).toEqual(['a', 'a', 'b'])
  } finally {
    vi.useRealTimers()
  }
})

test('a person beyond the share waits between calls, three times as long as one took, while others wait', () => {
  vi.useFakeTimers()
  try {
    const { enter, leave, inside } = crowd({
      ...LIMITS,
      person: { running: 1, waiting: 9, slow: { running: 1, ms: 1_000, memoryMs: 60_000, sumMs: 300 } },
    })
    enter('a', 'a', 'a')
    leave('a', 200)
    expect(inside()).toEqual(['a'])
    enter('b')
    leave('a', 200)
    vi.advanceTimersByTime(599)
    expect(inside()).toEqual(['b'])
    vi.advanceTimersByTime(1)
    expect(inside()).toEqual(['b', 'a'])
  } finally {
    vi.useRealTimers()
  }
})

test('the more of one is refused, the later it is reported', () => {
  expect([1, 199, 200, 1_000, 5_000].map(refusalMs)).toEqual([1_000, 1_000, 2_000, 6_000, 15_000])
})
