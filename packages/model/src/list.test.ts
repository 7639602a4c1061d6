import { expect, expectTypeOf, it } from 'vitest'
import type { Create, Row } from './entity.ts'
import { ref } from './fields/ref.ts'
import { text } from './fields/text.ts'
import { editedBy, fixedList, list, tags } from './list.ts'

const access = editedBy('mainSettings', ['viewCustomers', 'editCustomers'])

it('declares a list of names with its rights, further fields and an order', () => {
  const Reason = list('test/reasons', ['Причина', 'причины', 'причин'], {
    access,
    name: { max: 64, unique: true },
    extra: { note: text({ label: 'Примечание' }) },
    ordered: true,
    quickAdd: true,
  })
  expect(Object.keys(Reason.fields)).toEqual(['name', 'note', 'order'])
  expect(Reason.fields.name.options).toMatchObject({ required: true, max: 64, unique: true, search: true })
  expect(Reason).toMatchObject({ title: 'name', sort: 'order', soft: true, quickAdd: true, table: 'test_reasons' })
  expect(Reason.access).toEqual({
    view: ['viewCustomers', 'editCustomers'],
    create: 'mainSettings',
    update: 'mainSettings',
    delete: 'mainSettings',
  })
  expectTypeOf<Row<typeof Reason>>().toEqualTypeOf<{
    id: number
    _version: number
    deleted: boolean
    name: string
    readonly note: string | null
    order: number
  }>()
  expectTypeOf<Create<typeof Reason>>().toEqualTypeOf<{ name: string; note?: string | null; order?: number }>()
})

it('sorts a list without an order by name', () => {
  const Kind = list('test/kinds', ['Вид', 'вида', 'видов'], { access, name: { search: false } })
  expect(Object.keys(Kind.fields)).toEqual(['name'])
  expect(Kind.sort).toBe('name,id')
  expect(Kind.fields.name.options).not.toHaveProperty('search')
})

it('declares fixed lists, and tags that follow the rights of their record', () => {
  const State = fixedList('test/states', ['Состояние', 'состояния', 'состояний'], { view: 'viewCustomers' })
  expect([State.access, State.soft, State.fields.name.options.readonly]).toEqual([
    { view: 'viewCustomers' },
    false,
    true,
  ])
  const Tag = tags('test/tags', ['Метка', 'метки', 'меток'], {
    of: { idCustomer: ref('customers', { label: 'Клиент', as: 'customer', required: true, fixed: true }) },
    within: 'idCustomer',
    access,
  })
  expect(Object.keys(Tag.fields)).toEqual(['name', 'color', 'icon', 'idCustomer'])
  expect(Tag.within).toBe('idCustomer')
})
