import { Service, ServiceGroup, ServiceType } from '@ordinator/model/areas/catalogue/service'
import type { Queryable } from '../../platform/db.ts'
import type { AppContext } from '../../records/context.ts'
import type { Records } from '../../records/records.ts'
import { demoGroups, demoTypes } from './demoServices.ts'

/** The price list of a clinic of many branches. */
export async function demo(records: Records, _app: AppContext, tx: Queryable): Promise<void> {
  const keeper = await tx.one<{ id: number }>({ text: 'select "id" from users order by "id" limit 1' })
  if (!keeper) return
  const system = records.asSystem
  const types = new Map<string, number>()
  for (const { name, ...type } of demoTypes)
    types.set(name, (await system.create(ServiceType, { nameServiceType: name, ...type })).id)
  const groups = new Map<string, number>()
  for (const { name, code, color, within, type, isProducts, items } of demoGroups) {
    const group = await system.create(ServiceGroup, {
      nameServiceGroup: name,
      groupCode: code,
      color,
      servicesGroupsType: isProducts ? 1 : 0,
      ...(within ? { idParentGroup: groups.get(within) as number } : {}),
    })
    groups.set(name, group.id)
    for (const [i, [nameService, priceService, shortNameService, unit]] of items.entries()) {
      await system.create(Service, {
        nameService,
        priceService,
        ...(shortNameService ? { shortNameService } : {}),
        unit: unit ?? (isProducts ? 'шт.' : null),
        code: `${code}.${String(i + 1).padStart(3, '0')}`,
        article: `${isProducts ? 'Т' : 'У'}-${code.replace('.', '')}${String(i + 1).padStart(2, '0')}`,
        serviceCategory: isProducts ? 1 : 0,
        activeShop: i % 3 === 0,
        // A clinic always has a few that it has given up.
        active: nameService !== 'Рентгеноскопия желудка с барием',
        approximately: priceService > 50_000,
        idGroup: group.id,
        ...(type ? { idType: types.get(type) as number } : {}),
        userCreate: keeper.id,
        userChange: keeper.id,
      })
    }
  }
}
