import type { Area } from '#records/area.ts'
import { checkList } from './checkList.ts'
import { demo } from './demo.ts'
import { preview } from './preview.ts'
import { publish, restore, unpublish } from './publish.ts'
import { acceptances, documents, pageFiles, pages, policies, redirects, siteFiles, theme, versions } from './records.ts'
import { serveSite } from './serve.ts'

export { priceText } from './parts.ts'
export { policyInForce, readServices, readTheme } from './reads.ts'
export { portalStyleOf } from './style.ts'

/** The clinic's public site: edited by staff, read by visitors without sign-in. */
export const site: Area = {
  name: 'site',
  title: 'Сайт клиники',
  records: [siteFiles, pages, versions, pageFiles, redirects, documents, policies, acceptances, theme],
  operations: [publish, unpublish, restore, preview, checkList],
  start: serveSite,
  demo,
}
