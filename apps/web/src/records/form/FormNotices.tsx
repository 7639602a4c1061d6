import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconHistory, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatHuman } from '#kit/clock.ts'
import classes from './FormNotices.module.css'

interface Props {
  /** Messages of the whole form. */
  head: readonly string[]
  /** Time of the restored draft. */
  restored: Date | undefined
  onDropDraft: () => void
  /** The record was changed by another person meanwhile. */
  outdated: boolean
}

/** Notices above the fields of a form: errors, a restored draft, a change by another person. */
export function FormNotices({ head, restored, onDropDraft, outdated }: Props) {
  return (
    <>
      {head.length > 0 && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} />} role="alert" data-form-head>
          {head.map((message) => (
            <div key={message}>{message}</div>
          ))}
        </Alert>
      )}
      {restored && (
        <Notice icon={<IconHistory size={18} />} action="Отменить черновик" onAction={onDropDraft}>
          Восстановлено несохранённое: {formatHuman(restored)}
        </Notice>
      )}
      {outdated && (
        <Notice icon={<IconRefresh size={18} />}>
          Запись изменили, пока вы её правите. При сохранении вы увидите обе версии.
        </Notice>
      )}
    </>
  )
}

interface NoticeProps {
  icon: ReactNode
  children: ReactNode
  action?: string
  onAction?: () => void
}

function Notice({ icon, children, action, onAction }: NoticeProps) {
  return (
    <div className={classes.notice} role="status">
      {icon}
      <span className={classes.noticeText}>{children}</span>
      {action && <ActionButton label={action} variant="subtle" size="compact-sm" onClick={onAction} />}
    </div>
  )
}
