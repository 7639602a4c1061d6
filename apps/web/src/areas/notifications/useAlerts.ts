import { Notification } from '@ordinator/model/areas/notifications/notification'
import type { Row } from '@ordinator/model/entity'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { recordsWith } from '#base/client.ts'
import { useUserSettings } from '#base/session.ts'
import { useLive } from '#realtime/useLive.ts'
import { alertOnce, chime, popup, remind } from './alerts.ts'
import { withinHours } from './hours.ts'

/** Maximum separate popups per burst. */
const MAX_POPUPS = 3

/** Sounds and popups for new notifications, as allowed by settings and hours. */
export function useAlerts(): void {
  const { messageNotifyAllowed, messageNotifyTimeStart, messageNotifyTimeEnd } = useUserSettings().main
  const navigate = useNavigate()
  useLive(
    Notification.path,
    (batch) => {
      const made = batch.filter((event) => event.action === 'create').map((event) => event.id)
      if (made.length === 0 || !withinHours(new Date(), messageNotifyTimeStart, messageNotifyTimeEnd)) return
      void alertOnce(Math.max(...made), () => {
        chime()
        void read(made).then((notices) => {
          for (const notice of notices) popup(notice, () => void (notice.link && navigate({ to: notice.link })))
        })
      })
    },
    { enabled: messageNotifyAllowed },
  )
}

/** Repeats a sound while unread notifications exist, as allowed by settings and hours. */
export function useReminding(waits: boolean): void {
  const { messageNotifyAllowed, messageNotifyTimeStart, messageNotifyTimeEnd } = useUserSettings().main
  const rings = waits && messageNotifyAllowed
  useEffect(() => {
    if (rings) return remind(() => withinHours(new Date(), messageNotifyTimeStart, messageNotifyTimeEnd))
  }, [rings, messageNotifyTimeStart, messageNotifyTimeEnd])
}

async function read(ids: readonly number[]): Promise<Row<typeof Notification>[]> {
  const { items } = await recordsWith({ forbidden: 'silent', quiet: true }).list(Notification, {
    filter: { id: { in: ids.slice(-MAX_POPUPS) }, dateRead: null },
  })
  return items
}
