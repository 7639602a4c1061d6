import type { Page } from '@ordinator/model/page'
import { ourPage, type PageKey } from '@ordinator/model/pages'
import { useAccount } from './session.ts'

/** A page of this product: its replacement when an older CRM serves the original path. */
export const useOurPage = (key: PageKey): Page => ourPage(key, useAccount().common.settings.oldCrmUrl)

/** Path of the account and rights of an employee. */
export function useAccountPath(): (idUser: number | string) => string {
  const { path } = useOurPage('user')
  return (idUser) => `/${path.replace(':id', String(idUser))}`
}
