import { createTheme, MantineThemeProvider } from '@mantine/core'
import type { Page } from '@ordinator/model/page'
import { Outlet, useMatches, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useAccount, useUserSettings } from '#base/session.ts'
import { part } from '#kit/chunk.ts'
import { DrawnIcon } from '#kit/NamedIcon.tsx'
import { loadToasts } from '#kit/notify.tsx'
import { OtherUserWatch } from './OtherUserWatch.tsx'
import { PeopleProvider } from './PeopleProvider.tsx'
import { PhonesProvider } from './PhonesProvider.tsx'
import { Shell } from './Shell.tsx'

const Realtime = part(async () => ({ default: (await import('#realtime/Realtime.tsx')).Realtime }))

const IncomingCalls = part(async () => ({ default: (await import('./around.ts')).IncomingCalls }))

const SupportChat = part(() => import('./SupportChat.tsx'))
const TelephonyPlugin = part(() => import('#areas/calls/TelephonyPlugin.tsx'))

const RequiredFactor = part(() => import('./RequiredFactor.tsx'))

const TemporaryPassword = part(() => import('./TemporaryPassword.tsx'))

/**
 * Layout of the signed-in pages; `?layout=default`, or a page's own setting, renders the page alone, for embedding into
 * other systems. A user who must set their own password first sees only that: the server refuses everything else.
 */
export function Frame({ children }: { children?: ReactNode }) {
  const { user, common } = useAccount()
  const { specials, identity } = user
  const asked = (useSearch({ strict: false }) as { layout?: unknown }).layout === 'default'
  const page = useMatches().at(-1)?.staticData as { page?: Page } | undefined
  const plain = asked || page?.page?.plain === true
  const { modalBackgroundClose, showTableBorders } = useUserSettings().main
  // Beside the page, which is not waiting for them.
  useEffect(() => {
    loadToasts()
    void DrawnIcon.load()
  }, [])
  useEffect(
    () => void document.documentElement.toggleAttribute('data-table-borders', showTableBorders),
    [showTableBorders],
  )
  return (
    <MantineThemeProvider theme={modalBackgroundClose ? closedByBackground : keptOnBackground}>
      <PeopleProvider>
        <PhonesProvider>
          <OtherUserWatch />
          {specials.mustChangePassword ? (
            <TemporaryPassword />
          ) : specials.mustAddFactor ? (
            <RequiredFactor />
          ) : (
            <>
              <Realtime />
              {plain ? (
                <main
                  id="main"
                  tabIndex={-1}
                  style={{ height: '100%', overflow: 'auto', background: 'var(--ord-surface)' }}
                >
                  {children ?? <Outlet />}
                </main>
              ) : (
                <Shell>{children}</Shell>
              )}
              {common.settings.supportChatKey && <SupportChat />}
              {common.settings.telephonyPlugin && identity.sipPhone && <TelephonyPlugin />}
              {(common.telephony || common.demo) && identity.sipPhone && <IncomingCalls />}
            </>
          )}
        </PhonesProvider>
      </PeopleProvider>
    </MantineThemeProvider>
  )
}

/** Whether a click outside closes a dialog is a setting of the user. */
const dialogs = (closeOnClickOutside: boolean) =>
  createTheme({
    components: { Modal: { defaultProps: { closeOnClickOutside } }, Drawer: { defaultProps: { closeOnClickOutside } } },
  })
const closedByBackground = dialogs(true)
const keptOnBackground = dialogs(false)
