import { Outlet, useMatches } from '@tanstack/react-router'
import { useFirstDeed } from '#base/firstDeed.ts'
import { useMaybeAccount } from '#base/session.ts'
import { useWindowTitle } from '#base/title.ts'
import { OpenedDialog } from '#kit/Dialog.tsx'
import { ConfirmHost } from './ConfirmHost.tsx'
import { ProofHost } from './ProofHost.tsx'
import { TopProgress } from './TopProgress.tsx'

/** Common parts of every page, signed in or not. */
export function Root() {
  const matches = useMatches()
  const account = useMaybeAccount()
  const page = matches.at(-1)?.staticData.page
  useFirstDeed(OpenedDialog.load)
  useWindowTitle(page?.windowTitle ?? page?.title, account?.common.settings.productName)
  return (
    <>
      <TopProgress />
      <Outlet />
      <ConfirmHost />
      <ProofHost />
    </>
  )
}
