import { ActionIcon } from '@mantine/core'
import { Notification } from '@ordinator/model/areas/notifications/notification'
import { totalOf } from '@ordinator/model/client'
import { formatNumber } from '@ordinator/model/format'
import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useLazyDialog } from '../../base/useLazyDialog.ts'
import { useList } from '../../records/reads.ts'
import classes from './Notifications.module.css'
import { useAlerts } from './useAlerts.ts'

const NotificationPanel = lazy(() => import('./NotificationPanel.tsx'))
const MOST = 99

/** The bell of the top bar, with the number of what is not read. */
export default function Bell() {
  const [panel, is] = useLazyDialog()
  const unread = useList(
    Notification,
    { filter: { dateRead: null }, limit: 0, count: true, fields: ['id'] },
    { forbidden: 'silent' },
  )
  const count = totalOf(unread.data?._meta) ?? 0
  useAlerts()
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
            {count > MOST ? `${MOST}+` : count}
          </span>
        )}
      </ActionIcon>
      {panel.wanted && (
        <Suspense fallback={null}>
          <NotificationPanel opened={panel.opened} unread={count} onClose={is.close} />
        </Suspense>
      )}
    </>
  )
}
