import { SiteDocument, SiteFile, SitePage, SitePageFile, SiteRedirect, SiteVersion } from './page.ts'
import { SiteAcceptance, SitePolicy } from './policy.ts'
import { SiteTheme } from './theme.ts'

/** Entities of this area. */
export const entities = [
  SiteFile,
  SitePage,
  SiteVersion,
  SitePageFile,
  SiteRedirect,
  SiteDocument,
  SitePolicy,
  SiteAcceptance,
  SiteTheme,
] as const
