import { expect, it } from 'vitest'
import { ALWAYS, addWorkingMinutes, timeOfBranch, workingMinutesBetween } from '../../workingTime.ts'
import { domainOf, filledReply, isHost, opening, openPlace, readTo, robotAnswer, unreadOf } from './rules.ts'

const day = { start: '08:00', end: '20:00' }
const week = {
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: day,
  saturday: { start: '09:00', end: '15:00' },
}
const branch = timeOfBranch(week, [], 'Europe/Moscow')
const at = (text: string) => Date.parse(`${text}:00+03:00`)

it.each([
  ['2026-11-21T14:50', 15, '2026-11-23T08:05'],
  ['2026-11-20T10:00', 15, '2026-11-20T10:15'],
  ['2026-11-20T19:45', 15, '2026-11-20T20:00'],
  ['2026-11-22T10:00', 15, '2026-11-23T08:15'],
])('an answer to %s within %i minutes is due at %s', (from, minutes, due) =>
  expect(addWorkingMinutes(at(from), minutes, branch)).toBe(at(due)),
)

it('reckons a wait in working time, and always where there is no week', () => {
  expect(workingMinutesBetween(at('2026-11-21T14:50'), at('2026-11-23T08:05'), branch)).toBe(15)
  expect(workingMinutesBetween(at('2026-11-22T10:00'), at('2026-11-22T11:00'), branch)).toBe(0)
  expect(workingMinutesBetween(0, 90_000, ALWAYS)).toBe(1.5)
  expect(addWorkingMinutes(at('2026-11-22T23:50'), 15, ALWAYS)).toBe(at('2026-11-23T00:05'))
  expect(addWorkingMinutes(0, 15, timeOfBranch({}, [], 'UTC'))).toBeUndefined()
})

it('shows when it opens', () => {
  expect(opening(at('2026-11-20T10:00'), branch)).toEqual({ open: true, opensAt: null })
  expect(opening(at('2026-11-21T15:00'), branch)).toEqual({ open: false, opensAt: at('2026-11-23T08:00') })
  const shut = timeOfBranch(week, [{ day: '2026-11-20', start: null, end: null }], 'Europe/Moscow')
  expect(opening(at('2026-11-20T10:00'), shut)).toEqual({ open: false, opensAt: at('2026-11-21T09:00') })
  expect(opening(at('2026-11-20T03:00'), ALWAYS)).toEqual({ open: true, opensAt: null })
})

it('counts what is unread, never below zero', () => {
  const counts = { inCount: 3, readIn: 1 }
  expect(unreadOf(counts)).toBe(2)
  counts.inCount = 4
  const unread = [3, 2, 9].map((no) => {
    counts.readIn = readTo(counts, no)
    return unreadOf(counts)
  })
  expect(unread).toEqual([1, 1, 0])
})

it('finds the site that is named most exactly', () => {
  const sites = ['clinic.ru', 'deti.clinic.ru', 'иной.рф'].map((name) => ({ name }))
  expect(domainOf(sites, 'www.DETI.clinic.ru')?.name).toBe('deti.clinic.ru')
  expect(domainOf(sites, 'clinic.ru')?.name).toBe('clinic.ru')
  expect(domainOf(sites, 'notclinic.ru')).toBeUndefined()
  expect([isHost('клиника.рф'), isHost('localhost'), isHost('https://a.ru'), isHost('a..b'), isHost('-a.ru')]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

it('fills a canned reply and names what is still open', () => {
  const text = filledReply('{имя}, ждём вас: {филиал}, {дата}', { имя: 'Вера', дата: '22.11' })
  expect(text).toBe('Вера, ждём вас: {филиал}, 22.11')
  expect(openPlace(text)).toBe('филиал')
  expect(openPlace('{что угодно}')).toBeUndefined()
})

it.each([
  ['Сколько стоит УЗИ?', 0, 'цены'],
  ['Сколько стоит УЗИ?', 5, undefined],
  ['Позовите человека', 0, undefined],
  ['Мужу плохо, звоню 103', 0, undefined],
  ['Погода?', 0, undefined],
])('the robot to «%s» after %i answers: %s', (message, turns, answer) => {
  const suggestions = [
    { words: '', text: 'пусто' },
    { words: ' сколько стоит ,цена', text: 'цены' },
    { words: 'человек', text: 'никогда' },
  ]
  expect(robotAnswer(message, turns, suggestions)?.text).toBe(answer)
})
