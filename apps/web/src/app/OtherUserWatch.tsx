import { useEffect, useState } from 'react'
import { session, useAccount } from '#base/session.ts'
import { part } from '#kit/chunk.ts'
import { cookieText, userState } from './otherUser.ts'

const OtherUserDialog = part(() => import('./OtherUserDialog.tsx'))

const CHECK_EVERY_MS = 1000

/** Synchronises the sign-in of the two systems: see otherUser.ts. Shows the mismatch dialog until it is answered. */
export function OtherUserWatch() {
  const { user, common } = useAccount()
  const { cookieNameCurrent, cookieNameOther, cookieNameLogout } = common.settings
  const [otherId, setOtherId] = useState<string>()
  const [waved, setWaved] = useState<string>()
  const ourId = user.identity.id

  useEffect(() => {
    if (cookieNameCurrent) setCookie(cookieNameCurrent, String(ourId))
    if (!cookieNameOther && !cookieNameLogout) return
    const check = () => {
      const found = userState(document.cookie, { other: cookieNameOther, logout: cookieNameLogout }, ourId)
      if (found.kind === 'logout' && cookieNameLogout) {
        setCookie(cookieNameLogout, '')
        if (cookieNameCurrent) setCookie(cookieNameCurrent, '')
        void session.drop()
      }
      setOtherId(found.kind === 'mismatch' ? found.otherId : undefined)
    }
    check()
    const timer = setInterval(check, CHECK_EVERY_MS)
    return () => clearInterval(timer)
  }, [ourId, cookieNameCurrent, cookieNameOther, cookieNameLogout])

  const leave = async () => {
    if (await session.signOut()) setCookie(cookieNameCurrent ?? '', '')
  }
  if (otherId === undefined || otherId === waved) return null
  return <OtherUserDialog name={user.identity.shortFio} onCancel={() => setWaved(otherId)} onLeave={leave} />
}

function setCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is absent over plain http
  if (name) document.cookie = cookieText(name, value, location.hostname)
}
