import { useEffect } from 'react'
import { useAccount } from '#base/session.ts'

/** Delay after which the script is loaded and gets the user's contact (spec §7). */
const CONTACT_AFTER_MS = 5_000

interface Widget {
  setContactInfo(contact: { name: string; phone: string | null; email: string | null }): void
}

/** The chat with the product's support: its script, by the key in the settings, with the user's contact. */
export default function SupportChat() {
  const { user, common } = useAccount()
  const key = common.settings.supportChatKey
  const { identity } = user
  useEffect(() => {
    if (typeof key !== 'string' || key === '') return
    const script = document.createElement('script')
    script.async = true
    script.src = `/live-assist/widget.js?key=${encodeURIComponent(key)}`
    document.head.append(script)
    const timer = setTimeout(() => {
      const widget = (window as { OrdinatorChat?: Widget }).OrdinatorChat
      widget?.setContactInfo({
        name: [identity.surname, identity.name].filter(Boolean).join(' '),
        phone: identity.phone ?? null,
        email: identity.email ?? null,
      })
    }, CONTACT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [key, identity])
  return null
}
