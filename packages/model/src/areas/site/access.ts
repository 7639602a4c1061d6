/** Who keeps the clinic's site: whoever fills it, and who sets the clinic up. */
export const siteAccess = {
  view: ['showShopContent', 'mainSettings'],
  create: ['showShopContent', 'mainSettings'],
  update: ['showShopContent', 'mainSettings'],
  delete: ['showShopContent', 'mainSettings'],
} as const
