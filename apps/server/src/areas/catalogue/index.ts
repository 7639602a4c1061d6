import type { Area } from '#records/area.ts'
import { consumables } from './consumables.ts'
import { demo } from './demo.ts'
import { offerNorms } from './importNorms.ts'
import { offerServices } from './importServices.ts'
import { doubles, join, part } from './joinServices.ts'
import { durations, performers } from './performers.ts'
import { changePrices, previewChange, priceChanges, undoChange } from './priceChange.ts'
import { newPrice, priceLists, priceOfService, prices } from './prices.ts'
import { publicNameCalls } from './publicNames.ts'
import { files, groups, images, serviceCounts, services, types } from './services.ts'

export { priceSql } from './prices.ts'
export { publicDoctor, publicFilial, publicGood, publicNameSql, publicService } from './shown.ts'
export { publicStock } from './stock.ts'

/** Services and products, their prices and performers. */
export const catalogue: Area = {
  name: 'catalogue',
  title: 'Услуги и цены',
  records: [
    types,
    groups,
    services,
    files,
    images,
    priceLists,
    prices,
    priceChanges,
    performers,
    durations,
    consumables,
  ],
  operations: [
    ...publicNameCalls,
    doubles,
    join,
    part,
    serviceCounts,
    priceOfService,
    newPrice,
    previewChange,
    changePrices,
    undoChange,
  ],
  start(app) {
    offerServices(app)
    offerNorms(app)
  },
  demo,
}
