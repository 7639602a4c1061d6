import { type VisitStatus, visitStatuses } from '@ordinator/model/areas/visits/rules'
import { expect, test } from 'vitest'
import { rightsOf } from './rightsOf.ts'
import { actWords, isForward, nextStatus, waysOf } from './statuses.ts'

test('the usual next state comes first among the transitions', () => {
  expect(nextStatus('booked')).toBe('arrived')
  expect(waysOf('booked')[0]).toBe('arrived')
  expect(waysOf('arrived')[0]).toBe('inProgress')
  expect(waysOf('moved')).toEqual([])
})

test('what has begun or is over is not put elsewhere, and is gone on with by a name of its own', () => {
  const rights = rightsOf({ id: 1, permissions: { editAppointments: true } })
  const moved = (Object.keys(visitStatuses) as VisitStatus[]).filter((visitStatus) => rights.moves({ visitStatus }))
  expect(moved).toEqual(['booked', 'confirmed', 'arrived'])
  expect(rightsOf({ id: 1, permissions: {} }).moves({ visitStatus: 'booked' })).toBe(false)
  expect([actWords('arrived', 'inProgress'), isForward('arrived', 'inProgress')]).toEqual(['Начать приём', true])
  expect([actWords('completed', 'inProgress'), isForward('completed', 'inProgress')]).toEqual([
    'Возобновить приём',
    false,
  ])
  expect([actWords('inProgress', 'arrived'), isForward('inProgress', 'arrived')]).toEqual(['Вернуть в «Пришёл»', false])
  expect(actWords('booked', 'cancelled')).toBe('Отменить запись…')
})
