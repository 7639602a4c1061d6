/** Goods for sale on the site: prices and stock. */
import { stockText } from '@ordinator/model/areas/catalogue/inStock'
import { portalCalls } from '@ordinator/model/areas/portal/calls'
import type { PortalGood } from '@ordinator/model/areas/portal/shapes'
import { priceText, readServices } from '#areas/site/index.ts'
import { patientCall } from './sessions.ts'

/** Maximum number of goods per response; others are found by search. */
const MOST = 60

const goods = patientCall(portalCalls.goods, async ({ app, query: { q } }) => {
  const words = q?.trim()
  const rows = await readServices(app.db.reads, { of: 'goods', limit: MOST + 1, ...(words && { words }) })
  const items = rows.slice(0, MOST).map(
    (one): PortalGood => ({
      id: one.id,
      name: one.name,
      group: one.group,
      price: priceText(one),
      stock: one.stock.map(({ filial, free }) => ({ filial, text: stockText(free), isFree: free > 0 })),
    }),
  )
  return { items, isMore: rows.length > MOST }
})

export const goodsOperations = [goods]
