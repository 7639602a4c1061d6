import { CashShift } from '@ordinator/model/areas/money/desk'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { expect, it, vi } from 'vitest'
import { setZone } from '#kit/clock.ts'
import { columnsOf } from '../table/columns.ts'
import { wordsOf } from './registry.ts'

// Modules imported by the inputs listen to the storage at once.
vi.hoisted(() => vi.stubGlobal('window', new EventTarget()))

const at = '2026-11-24T09:00:00Z'
const { dateFrom } = Appointment.fields
const { dateOpened } = CashShift.fields

it('a moment is shown by the clock of its branch, and without one by the reader’s', () => {
  setZone('Europe/Moscow')
  const filial = { timeZone: 'Asia/Novosibirsk' }
  expect(wordsOf(dateFrom, at, { id: 1, filial })).toBe('24.11.2026 16:00')
  expect(wordsOf(dateOpened, at, { id: 1, desk: { id: 2, filial } })).toBe('24.11.2026 16:00')
  for (const row of [undefined, { id: 1 }, { id: 1, filial: null }, { id: 1, filial: { timeZone: null } }])
    expect(wordsOf(dateFrom, at, row)).toBe('24.11.2026 12:00')
})

it('a table asks for that clock, of who may see what leads to it', () => {
  const expands = (permissions: Record<string, true>) =>
    columnsOf(CashShift, { id: 1, permissions }, ['dateOpened', 'number'])
      .slice(0, 2)
      .map(({ expand }) => expand)
  expect(expands({ viewCashDesk: true })).toEqual([['desk.filial'], []])
  expect(columnsOf(CashShift, { id: 1, permissions: {} }, ['dateOpened'])[0]?.expand).toEqual([])
})
