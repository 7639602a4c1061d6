import { Outlet, useMatches } from '@tanstack/react-router'
import { ConfirmHost } from '../kit/ConfirmHost.tsx'
import { useMaybeAccount } from './session.ts'
import { TopProgress } from './TopProgress.tsx'
import { useWindowTitle } from './title.ts'

/** What stands on every page, signed in or not. */
export function Root() {
  const matches = useMatches()
  const account = useMaybeAccount()
  useWindowTitle(matches.at(-1)?.staticData.page?.title, account?.common.settings.productName)
  return (
    <>
      <TopProgress />
      <Outlet />
      <ConfirmHost />
    </>
  )
}
