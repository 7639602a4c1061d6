import { Badge, Button } from '@mantine/core'
import { formatFromNow } from '@ordinator/model/format'
import { IconDeviceDesktop, IconDeviceMobile, IconLogin2 } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { errorMessage } from '../../../base/apiError.ts'
import { http } from '../../../base/http.ts'
import { formatDateTime } from '../../../kit/clock.ts'
import { EmptyState } from '../../../kit/EmptyState.tsx'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { notify } from '../../../kit/notify.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { deviceName, isPhone } from './device.ts'
import classes from './SessionList.module.css'

interface Session {
  id: string
  ip: string | null
  userAgent: string | null
  dateCreate: string
  lastSeen: string
  isCurrent: boolean
}

/**
 * Where somebody is signed in; any session but the one at hand may be ended.
 * @param path `/auth/sessions`, the own ones, or `/users/5/sessions`
 */
export function SessionList({ path }: { path: string }) {
  const cache = useQueryClient()
  const queryKey = ['sessions', path]
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => http.get<{ items: Session[] }>(path, { signal, forbidden: 'silent' }),
  })
  const end = useMutation({
    mutationFn: (id: string) => http.delete(`${path}/${id}`, { forbidden: 'toast' }),
    onSuccess: () => notify.success('Сеанс завершён'),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
  if (list.isPending) return <LinesSkeleton lines={3} />
  if (list.isError)
    return <ErrorState title="Не удалось загрузить сеансы" error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.items.length === 0)
    return <EmptyState icon={IconLogin2} title="Открытых сеансов нет" text="Сотрудник сейчас нигде не вошёл" />
  return (
    <div className={classes.list}>
      {list.data.items.map((session) => (
        <SessionRow
          key={session.id}
          session={session}
          ending={end.isPending && end.variables === session.id}
          onEnd={() => end.mutate(session.id)}
        />
      ))}
    </div>
  )
}

function SessionRow({ session, ending, onEnd }: { session: Session; ending: boolean; onEnd: () => void }) {
  const Icon = isPhone(session.userAgent) ? IconDeviceMobile : IconDeviceDesktop
  const name = deviceName(session.userAgent)
  const seen = session.isCurrent ? 'сейчас' : `активность ${formatFromNow(session.lastSeen)}`
  return (
    <div className={classes.session}>
      <Icon size={20} stroke={1.5} aria-hidden />
      <div className={classes.text}>
        {name}
        <p className={classes.hint}>
          {[session.ip, `вход ${formatDateTime(session.dateCreate)}`, seen].filter(Boolean).join(' · ')}
        </p>
      </div>
      {session.isCurrent ? (
        <Badge>Этот сеанс</Badge>
      ) : (
        <Button variant="default" aria-label={`Завершить сеанс: ${name}`} loading={ending} onClick={onEnd}>
          Завершить
        </Button>
      )}
    </div>
  )
}
