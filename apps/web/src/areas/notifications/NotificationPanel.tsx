import { Box, Skeleton } from '@mantine/core'
import { Notification } from '@ordinator/model/areas/notifications/notification'
import type { Row } from '@ordinator/model/entity'
import { formatFromNow } from '@ordinator/model/format'
import { IconBell, IconChecks, IconSettings, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime, formatHuman, formatTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { MoreRows } from '#kit/LoadMore.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { Dot, HStack, VStack } from '#kit/Stacks.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { Muted } from '#kit/Words.tsx'
import { useEndlessList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import classes from './Notifications.module.css'
import { readAllNotices } from './readAllNotices.ts'

const PORTION = 30

interface Props {
  opened: boolean
  unread: number
  onClose: () => void
}

type Notice = Row<typeof Notification> & { actor: { shortFio?: string; avatar?: string | null } | null }

/** Notification centre: newest first, by day. */
export default function NotificationPanel({ opened, unread, onClose }: Props) {
  const cache = useQueryClient()
  const [marking, setMarking] = useState(false)
  const readAll = async () => {
    setMarking(true)
    await readAllNotices(cache)
    setMarking(false)
  }
  return (
    <SidePanel
      opened={opened}
      onClose={onClose}
      title={
        <HStack component="span" gap="4px 12px" wrap>
          Уведомления
          {unread > 0 && (
            <ActionButton
              label="Прочитать все"
              size="compact-sm"
              variant="subtle"
              icon={IconChecks}
              loading={marking}
              onClick={() => void readAll()}
            />
          )}
        </HStack>
      }
      footer={
        <ActionButton
          label="О чём уведомлять"
          variant="subtle"
          color="gray"
          size="compact-sm"
          icon={IconSettings}
          renderRoot={(props) => <Link to="/profile" {...props} />}
          onClick={onClose}
        />
      }
    >
      {opened && <NoticeList onClose={onClose} />}
    </SidePanel>
  )
}

function NoticeList({ onClose }: { onClose: () => void }) {
  const list = useEndlessList(Notification, { sort: '-id', limit: PORTION, expand: ['actor'] }, { forbidden: 'silent' })
  const items = list.items
  const save = useSave(Notification, { toast: false })
  const remove = useRemove(Notification, { message: 'Уведомление удалено' })
  const navigate = useNavigate()
  const open = (notice: Notice) => {
    if (!notice.dateRead) save.mutate({ id: notice.id, dateRead: new Date().toISOString() })
    if (!notice.link) return
    onClose()
    void navigate({ to: notice.link })
  }
  if (list.isPending)
    return (
      <VStack aria-busy="true">
        {[1, 2, 3, 4, 5].map((n) => (
          <Skeleton key={n} height={52} radius="md" />
        ))}
      </VStack>
    )
  if (list.isError && items.length === 0)
    return <ErrorState title="Уведомления не загрузились" error={list.error} onRetry={() => void list.refetch()} />
  if (items.length === 0)
    return (
      <EmptyState
        icon={IconBell}
        title="Уведомлений нет"
        text="Здесь появится, что вам назначили, где вас упомянули и о чём вы просили напомнить."
      />
    )
  return (
    <>
      {[...Map.groupBy(items, (notice) => dayOf(notice.dateCreate))].map(([day, notices]) => (
        <div key={day}>
          <h3 className={classes.day}>{day}</h3>
          <ul>
            {notices.map((notice) => (
              <NoticeLine
                key={notice.id}
                notice={notice}
                onOpen={() => open(notice)}
                onRemove={() => remove.mutate(notice.id)}
              />
            ))}
          </ul>
        </div>
      ))}
      <MoreRows list={list} label="Показать ранние" />
    </>
  )
}

/** 'Сегодня', 'Вчера', '5 ноября'. */
function dayOf(moment: string): string {
  const word = formatHuman(moment).split(',', 1)[0] as string
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function NoticeLine({ notice, onOpen, onRemove }: { notice: Notice; onOpen: () => void; onRemove: () => void }) {
  const { title, text, dateCreate, dateRead, actor } = notice
  return (
    <li className={classes.item} data-unread={dateRead ? undefined : true}>
      <button type="button" className={classes.open} onClick={onOpen}>
        {actor ? (
          <UserAvatar user={actor} size={32} />
        ) : (
          <span className={classes.icon} aria-hidden>
            <IconBell size={18} />
          </span>
        )}
        <VStack component="span" gap={0} grow>
          <HStack component="span">
            <span className={classes.name}>{title}</span>
            {!dateRead && <Dot color="var(--mantine-primary-color-filled)" role="img" aria-label="Не прочитано" />}
          </HStack>
          {text && text !== title && (
            <Muted lineClamp={3} className="breaks lines">
              {text}
            </Muted>
          )}
        </VStack>
        <Box
          component="time"
          c="dimmed"
          fz={12}
          flex="none"
          className="tabular"
          dateTime={dateCreate}
          title={`${formatDateTime(dateCreate)}, ${formatFromNow(dateCreate)}`}
        >
          {formatTime(dateCreate)}
        </Box>
      </button>
      <IconButton
        icon={IconX}
        className={classes.remove}
        label={`Удалить уведомление «${title}»`}
        title="Удалить"
        onClick={onRemove}
      />
    </li>
  )
}
