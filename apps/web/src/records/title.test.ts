import { PayerRegistry } from '@ordinator/model/areas/payers/registry'
import { WaitingEntry } from '@ordinator/model/areas/visits/waiting'
import { Warehouse } from '@ordinator/model/areas/warehouse/warehouse'
import { expect, it } from 'vitest'
import { headOf, titleOf } from './title.ts'

it('a record without a title is named by whom its first column leads to, and by its number where that was not read', () => {
  const customer = { id: 13, shortFio: 'Макаров И. А.' }
  expect(titleOf(WaitingEntry, { id: 14, idCustomer: 13, customer })).toBe('Макаров И. А.')
  expect(titleOf(WaitingEntry, { id: 14, idCustomer: 13 })).toBe('№ 14')
  expect(titleOf(WaitingEntry, { id: 14, idCustomer: 13, customer: null })).toBe('№ 14')
})

it('in the head of its own panel a record that only has a number shows its kind', () => {
  const customer = { id: 13, shortFio: 'Макаров И. А.' }
  expect(headOf(WaitingEntry, { id: 14, idCustomer: 13, customer })).toBe('Макаров И. А.')
  expect(headOf(WaitingEntry, { id: 14, idCustomer: 13 })).toBe('Ожидание № 14')
})

it('a record that is named by a day has it as people write it', () => {
  expect(titleOf(PayerRegistry, { id: 3, month: '2026-11-01' })).toBe('01.11.2026')
})

it('a thing of a branch carries it where another branch has one of this name', () => {
  expect(titleOf(Warehouse, { id: 1, name: 'Основной склад', _branch: 'Мира' })).toBe('Основной склад · Мира')
  expect(titleOf(Warehouse, { id: 1, name: 'Основной склад', _branch: null })).toBe('Основной склад')
})
