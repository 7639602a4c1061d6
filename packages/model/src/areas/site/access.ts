/** Rights to view, and to fill and publish the clinic's site; the settings right includes both. */
export const siteAccess = {
  view: ['showShopContent', 'editShopContent', 'mainSettings'],
  create: ['editShopContent', 'mainSettings'],
  update: ['editShopContent', 'mainSettings'],
  delete: ['editShopContent', 'mainSettings'],
} as const

/**
 * Rights to read consents taken on the site: they contain visitors' names and phones, so editors of pages do not see
 * them.
 */
export const acceptedAccess = { view: ['mainSettings', 'viewSalesManagement', 'editSalesManagement'] } as const
