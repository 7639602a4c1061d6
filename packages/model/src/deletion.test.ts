/** Every reference to a record that people can delete declares what the deletion means for it. */
import { expect, it } from 'vitest'
import { fateOf, hangingOf, pointingAt } from './deletion.ts'
import { entities } from './entities.ts'
import type { Entity } from './entity.ts'

const all = entities as readonly Entity[]
const deletable = all.filter(({ access }) => access.delete !== undefined)
const pointing = deletable.flatMap((entity) =>
  pointingAt(entity, all).map((one) => ({ ...one, entity, from: one.entity })),
)
const named = ({ entity, from, field }: (typeof pointing)[number]) => `${entity.path} <- ${from.path}.${field}`
const fate = (one: (typeof pointing)[number]) => fateOf({ entity: one.from, field: one.field, several: one.several })

it('declares for each reference what happens to it', () => {
  expect(pointing.length).toBeGreaterThan(400)
  expect(pointing.filter((one) => fate(one) === undefined).map(named)).toEqual([])
})

it('names only fields that the pointing entity stores', () => {
  for (const { from, field, several } of pointing)
    for (const how of ['keeps', 'asks'] as const) {
      const hanging = hangingOf({ entity: from, field, several }, how)
      if (!hanging) continue
      for (const name of [hanging.ahead, hanging.above, ...Object.keys(hanging.among ?? {})].filter(
        (one) => one !== undefined,
      ))
        expect([from.path, name, from.fields[name]?.options.computed ?? false]).toEqual([from.path, name, false])
    }
})

it('keeps or asks about what the issue names', () => {
  const kept = (path: string) =>
    pointing
      .filter((one) => one.entity.path === path && fate(one) !== 'stays')
      .map(({ from, field }) => `${from.path}.${field}`)
  expect(kept('filials')).toEqual(
    expect.arrayContaining(['appointments.idFilial', 'cash-desks.idFilial', 'staff-events.idFilial']),
  )
  expect(kept('organizations')).toEqual(
    expect.arrayContaining(['payments.idOrganization', 'cash-desks.idOrganization']),
  )
  expect(kept('price-lists')).toContain('service-prices.idPriceList')
  expect(kept('customers')).toContain('appointments.idCustomer')
  expect(kept('filials/rooms')).toContain('staff-events.idRoom')
  expect(kept('users')).toEqual(
    expect.arrayContaining(['coupons.idUser', 'live-assist.idUser', 'service-online.idUser']),
  )
})
