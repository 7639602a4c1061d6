import { expect, test } from 'vitest'
import { offersFor } from './offers.ts'

test('visits that hang are offered times that do not meet; what was chosen by hand goes first', () => {
  const slot = (idUser: number, localStart: string) => ({
    ...{ localDate: '2026-11-24', localStart, idUser, userName: `Врач ${idUser}`, idFilial: 1, idRoom: null },
    ...{ dateFrom: '', dateTo: '', minutes: 30, price: null, places: null },
  })
  const slots = [slot(1, '10:00'), slot(2, '10:00'), slot(1, '10:30')]
  const offersOf = (chosen: (string | undefined)[]) =>
    [...offersFor(chosen.map((one, id) => ({ id, minutes: 30, slots, chosen: one })))]
      .sort(([a], [b]) => a - b)
      .map(([id, { idUser, localStart }]) => `${id}: ${idUser} ${localStart}`)
  expect(offersOf([undefined, undefined, undefined, undefined])).toEqual(['0: 1 10:00', '1: 2 10:00', '2: 1 10:30'])
  expect(offersOf(['', undefined])).toEqual(['1: 1 10:00'])
})
