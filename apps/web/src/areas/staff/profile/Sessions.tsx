import { Badge, Button } from '@mantine/core'
import { formatDateTime, formatFromNow } from '@ordinator/model/format'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { errorMessage } from '../../../app/apiError.ts'
import { http } from '../../../app/http.ts'
import { ErrorState } from '../../../kit/ErrorState.tsx'
import { notify } from '../../../kit/notify.tsx'
import { LinesSkeleton } from '../../../kit/Skeletons.tsx'
import { deviceName, isPhone } from './device.ts'
import classes from './Profile.module.css'

interface Session {
  id: string
  ip: string | null
  userAgent: string | null
  dateCreate: string
  lastSeen: string
  isCurrent: boolean
}

const KEY = ['auth', 'sessions']

/** Where the account is signed in; any but this one may be ended. */
export function Sessions() {
  const client = useQueryClient()
  const list = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.get<{ items: Session[] }>('/auth/sessions', { signal, forbidden: 'silent' }),
  })
  const end = useMutation({
    mutationFn: (id: string) => http.delete(`/auth/sessions/${id}`, { forbidden: 'toast' }),
    onSuccess: () => notify.success('Сеанс завершён'),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
  return (
    <section className={classes.block}>
      <h2 className={classes.heading}>Открытые сеансы</h2>
      {list.isPending && <LinesSkeleton lines={2} />}
      {list.isError && (
        <ErrorState title="Не удалось загрузить сеансы" error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.data?.items.map((session) => {
        const Icon = isPhone(session.userAgent) ? IconDeviceMobile : IconDeviceDesktop
        return (
          <div key={session.id} className={classes.session}>
            <Icon size={20} stroke={1.5} aria-hidden />
            <div className={classes.settingText} style={{ cursor: 'auto' }}>
              {deviceName(session.userAgent)}
              <div className={classes.hint} title={`Вход ${formatDateTime(session.dateCreate)}`}>
                {[session.ip, session.isCurrent ? 'сейчас' : formatFromNow(session.lastSeen)]
                  .filter(Boolean)
                  .join(' · ')}
              </div>
            </div>
            {session.isCurrent ? (
              <Badge>Этот сеанс</Badge>
            ) : (
              <Button
                variant="default"
                loading={end.isPending && end.variables === session.id}
                onClick={() => end.mutate(session.id)}
              >
                Завершить
              </Button>
            )}
          </div>
        )
      })}
    </section>
  )
}
