import { Badge, Box } from '@mantine/core'
import type { Session } from '@ordinator/model/areas/auth/calls'
import { formatFromNow } from '@ordinator/model/format'
import { IconDeviceDesktop, IconDeviceMobile, IconLogin2 } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { deviceName, isPhone } from '#base/device.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Fine } from '#kit/Words.tsx'
import classes from './SessionList.module.css'

/**
 * Sessions of a user; all but the current one can be ended.
 * @param idUser another user's; absent: the own ones
 */
export function SessionList({ idUser }: { idUser?: number }) {
  const cache = useQueryClient()
  const queryKey = ['sessions', idUser ?? 'own']
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      idUser === undefined
        ? api('GET /auth/sessions', {}, { signal, forbidden: 'silent' })
        : api('GET /users/:id/sessions', { params: { id: idUser } }, { signal, forbidden: 'silent' }),
  })
  const end = useMutation({
    mutationFn: (id: string) =>
      idUser === undefined
        ? api('DELETE /auth/sessions/:id', { params: { id } }, { forbidden: 'toast' })
        : api(
            'DELETE /users/:id/sessions/:idSession',
            { params: { id: idUser, idSession: id } },
            { forbidden: 'toast' },
          ),
    onSuccess: () => notify.success('Сеанс завершён'),
    onError: (error) => notify.error(errorMessage(error)),
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
  const askAndEnd = async ({ id, userAgent }: Session) => {
    const question = {
      title: 'Завершить сеанс?',
      message: `${deviceName(userAgent)}: там придётся войти заново, несохранённое пропадёт.`,
      confirm: 'Завершить',
      danger: true,
    }
    if (await confirm(question)) end.mutate(id)
  }
  if (list.isPending) return <LinesSkeleton lines={3} />
  if (list.isError)
    return <ErrorState title="Не удалось загрузить сеансы" error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.items.length === 0)
    return <EmptyState icon={IconLogin2} title="Открытых сеансов нет" text="Сотрудник сейчас нигде не вошёл" />
  return (
    <Box maw={680}>
      {list.data.items.map((session) => (
        <SessionRow
          key={session.id}
          session={session}
          ending={end.isPending && end.variables === session.id}
          onEnd={() => void askAndEnd(session)}
        />
      ))}
    </Box>
  )
}

function SessionRow({ session, ending, onEnd }: { session: Session; ending: boolean; onEnd: () => void }) {
  const Icon = isPhone(session.userAgent) ? IconDeviceMobile : IconDeviceDesktop
  const name = deviceName(session.userAgent)
  const activity = session.isCurrent ? 'сейчас' : `активность ${formatFromNow(session.lastSeen)}`
  return (
    <div className={classes.session}>
      <Icon size={20} stroke={1.5} aria-hidden />
      <Box miw={0} flex={1}>
        {name}
        <Fine component="p">
          {[session.ip, `вход ${formatDateTime(session.dateCreate)}`, activity].filter(Boolean).join(' · ')}
        </Fine>
      </Box>
      {session.isCurrent ? (
        <Badge>Этот сеанс</Badge>
      ) : (
        <ActionButton
          label="Завершить"
          variant="default"
          aria-label={`Завершить сеанс: ${name}`}
          loading={ending}
          onClick={onEnd}
        />
      )}
    </div>
  )
}
