/** Who looks at what the clinic's site is made of, and who fills and publishes it; whoever sets the clinic up does both. */
export const siteAccess = {
  view: ['showShopContent', 'editShopContent', 'mainSettings'],
  create: ['editShopContent', 'mainSettings'],
  update: ['editShopContent', 'mainSettings'],
  delete: ['editShopContent', 'mainSettings'],
} as const

/** Who reads whose words the site has taken: names and phones of visitors are not for those who only fill its pages. */
export const acceptedAccess = { view: ['mainSettings', 'viewSalesManagement', 'editSalesManagement'] } as const
