import { useEffect } from 'react'
import { api } from '#base/api.ts'
import { notifyPlugin } from '#base/plugin.ts'
import { session, useAccount } from '#base/session.ts'
import { personName } from '#kit/UserAvatar.tsx'

/** Renewal interval: the plugin's token is valid for twelve hours. */
const AGAIN_MS = 6 * 3_600_000

/**
 * Signs the telephony program on this computer in as the current user (spec §7), with a token that only opens call
 * cards. If the browser needs a permission for local requests, requests it on the first click, as browsers require a
 * user gesture.
 */
export default function TelephonyPlugin() {
  const { user, common } = useAccount()
  const { id } = user.identity
  const name = personName(user.identity)
  const url = common.settings.telephonyPlugin
  useEffect(() => {
    if (!url) return
    const login = async () => {
      const { token } = await api('POST /calls/telephony-token', {}, { forbidden: 'silent', quiet: true })
      await notifyPlugin(url, 'login', {
        token,
        id,
        name,
        wsUrl: `${location.origin.replace(/^http/, 'ws')}/ws`,
        crmUrl: `${location.origin}/app`,
      })
    }
    const attempt = () => void login().catch(() => undefined)
    let timer: ReturnType<typeof setInterval> | undefined
    const begin = () => {
      attempt()
      timer = setInterval(attempt, AGAIN_MS)
    }
    let stopped = false
    void isAsked().then((asked) => {
      if (stopped) return
      if (asked) addEventListener('click', begin, { once: true, capture: true })
      else begin()
    })
    const release = session.onLeave(() => void notifyPlugin(url, 'logout', { id }))
    return () => {
      stopped = true
      removeEventListener('click', begin, { capture: true })
      clearInterval(timer)
      release()
    }
  }, [url, id, name])
  return null
}

/** True when the browser would show a permission prompt. */
async function isAsked(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'loopback-network' as PermissionName })
    return state === 'prompt'
  } catch {
    return false
  }
}
