import type { Page } from '@ordinator/model/page'
import { ourPage, type PageKey } from '@ordinator/model/pages'
import { useAccount } from './session.ts'

/** The page of this product itself: where an older CRM answers its path, the one that stands in for it. */
export const useOurPage = (key: PageKey): Page => ourPage(key, useAccount().common.settings.oldCrmUrl)

/** Where the account and the rights of an employee are kept. */
export function useAccountPath(): (idUser: number | string) => string {
  const { path } = useOurPage('user')
  return (idUser) => `/${path.replace(':id', String(idUser))}`
}
