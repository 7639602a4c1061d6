import { Badge, Button } from '@mantine/core'
import { formatDateTime, formatFromNow } from '@ordinator/model/format'
import { IconDeviceDesktop, IconDeviceMobile, IconLogin2 } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { errorMessage } from '../../../app/apiError.ts'
import { http } from '../../../app/http.ts'
import { EmptyState } from '../../../kit/EmptyState.tsx'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { notify } from '../../../kit/notify.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { deviceName, isPhone } from '../profile/device.ts'
import classes from './Users.module.css'

interface Session {
  id: string
  ip: string | null
  userAgent: string | null
  dateCreate: string
  lastSeen: string
  isCurrent: boolean
}

/** Where the employee is signed in. */
export function UserSessions({ idUser }: { idUser: number }) {
  const cache = useQueryClient()
  const queryKey = ['users', idUser, 'sessions']
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      http.get<{ items: Session[] }>(`/users/${idUser}/sessions`, { signal, forbidden: 'silent' }),
  })
  const end = useMutation({
    mutationFn: (id: string) => http.delete(`/users/${idUser}/sessions/${id}`, { forbidden: 'toast' }),
    onSuccess: () => notify.success('Сеанс завершён'),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
  if (list.isPending) return <LinesSkeleton lines={3} />
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.items.length === 0)
    return <EmptyState icon={IconLogin2} title="Открытых сеансов нет" text="Сотрудник сейчас нигде не вошёл" />
  return (
    <div className={classes.narrowList}>
      {list.data.items.map((session) => {
        const Icon = isPhone(session.userAgent) ? IconDeviceMobile : IconDeviceDesktop
        const name = deviceName(session.userAgent)
        return (
          <div key={session.id} className={classes.session}>
            <Icon size={20} stroke={1.5} aria-hidden />
            <div className={classes.sessionText}>
              {name}
              <p className={classes.hint}>
                {[
                  session.ip,
                  `вход ${formatDateTime(session.dateCreate)}`,
                  `активность ${formatFromNow(session.lastSeen)}`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </div>
            {session.isCurrent ? (
              <Badge>Этот сеанс</Badge>
            ) : (
              <Button
                variant="default"
                aria-label={`Завершить сеанс: ${name}`}
                loading={end.isPending && end.variables === session.id}
                onClick={() => end.mutate(session.id)}
              >
                Завершить
              </Button>
            )}
          </div>
        )
      })}
    </div>
  )
}
