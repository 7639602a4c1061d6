import { ActionIcon } from '@mantine/core'
import { Notification } from '@ordinator/model/areas/notifications/notification'
import { totalOf } from '@ordinator/model/client'
import { formatNumber } from '@ordinator/model/format'
import { IconBell } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useAccount } from '#base/session.ts'
import { useLazyDialog } from '#base/useLazyDialog.ts'
import { badgeText } from '#kit/badgeText.ts'
import { part } from '#kit/chunk.ts'
import { recordKeys } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import classes from './Notifications.module.css'
import { useNoticesOpener } from './noticePanel.ts'
import { useAlerts } from './useAlerts.ts'

const NotificationPanel = part(() => import('./NotificationPanel.tsx'))
/** Milliseconds that the number from the account is not reloaded. */
const FRESH_MS = 15_000
const wanted = { filter: { dateRead: null }, limit: 0, count: true, fields: ['id'] } as const

/** Bell in the top bar, with the number of unread notifications. */
export default function Bell() {
  const [panel, is] = useLazyDialog()
  useKnownCount()
  const unread = useList(Notification, wanted, { forbidden: 'silent', staleTime: FRESH_MS })
  const count = totalOf(unread.data?._meta) ?? 0
  useAlerts()
  useNoticesOpener(is.open)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.bell}
        aria-label={count ? `Уведомления, непрочитанных: ${formatNumber(count)}` : 'Уведомления'}
        title="Уведомления"
        onClick={is.open}
      >
        <IconBell size={18} />
        {count > 0 && (
          <span className={classes.count} aria-hidden>
            {badgeText(count)}
          </span>
        )}
      </ActionIcon>
      {panel.wanted && <NotificationPanel opened={panel.opened} unread={count} onClose={is.close} />}
    </>
  )
}

/** Takes the number from the account; reloaded only after changes. */
function useKnownCount(): void {
  const cache = useQueryClient()
  const count = useAccount().user.badges.notifications
  const put = () => {
    if (count === undefined) return
    const _meta = { currentPage: 1, perPage: 0, hasMore: count > 0, totalCount: count }
    cache.setQueryData(recordKeys.list(Notification.path, wanted), { items: [], _meta })
  }
  useState(put)
  // biome-ignore lint/correctness/useExhaustiveDependencies: put anew when the number changes
  useEffect(put, [count])
}
