import { Alert, Badge, Title } from '@mantine/core'
import { certificateWarning } from '@ordinator/model/areas/staff/certificate'
import { User } from '@ordinator/model/areas/staff/user'
import type { Row } from '@ordinator/model/entity'
import { formatFromNow } from '@ordinator/model/format'
import { pageAllowed, pageByKey } from '@ordinator/model/pages'
import {
  IconCalendarTime,
  IconCertificate,
  IconKey,
  IconLock,
  IconLockOpen,
  IconTransferOut,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DutiesDialog } from '#areas/centre/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { UserSchedule } from '#areas/schedule/index.ts'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { useOurPage } from '#base/ourPage.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { today } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { useRemove, useSave } from '#records/writes.ts'
import { FactorList } from '../factors/FactorList.tsx'
import { SessionList } from '../sessions/SessionList.tsx'
import { type GivenPassword, PasswordDialog } from './PasswordDialog.tsx'
import { UserExplain } from './UserExplain.tsx'
import { UserOnSite } from './UserOnSite.tsx'
import { UserRights } from './UserRights.tsx'

const tabs: RecordParts<typeof User>['tabs'] = {
  schedule: {
    label: 'Расписание',
    any: ['viewCalendar'],
    panel: ({ id, filials }) => <UserSchedule idUser={id} filials={filials ?? []} />,
  },
  site: { label: 'На сайте', panel: (user) => <UserOnSite user={user} /> },
  rights: { label: 'Роли и права', panel: ({ id }) => <UserRights idUser={id} /> },
  explain: { label: 'Почему доступно', panel: ({ id }) => <UserExplain idUser={id} /> },
  sessions: {
    label: 'Сеансы',
    panel: ({ id }) => (
      <VStack gap={24}>
        <section aria-labelledby="user-factors">
          <Title order={2} size="h3" mb={4} id="user-factors">
            Второй фактор
          </Title>
          <FactorList idUser={id} />
        </section>
        <section aria-labelledby="user-sessions">
          <Title order={2} size="h3" mb={4} id="user-sessions">
            Открытые сеансы
          </Title>
          <SessionList idUser={id} />
        </section>
      </VStack>
    ),
  },
}

/** Сотрудник: account of an employee, for managers of staff. */
export default function UserPage() {
  return (
    <RegistryRecordPage
      entity={User}
      list={useOurPage('users')}
      start={(user) => <UserAvatar user={user} size={48} online={user.isOnline} />}
      help={helpOf}
      under={(user) => <CertificateNote user={user} />}
      actions={(user) => <UserActions key={user.id} user={user} />}
      tabs={tabs}
      saved="Данные сохранены"
    />
  )
}

/** Warning about an expiring or expired certificate. */
function CertificateNote({ user: { certificateTo } }: { user: Row<typeof User> }) {
  const warning = certificateWarning(certificateTo, today())
  return (
    warning && (
      <Alert
        color={warning.isOver ? 'red' : 'yellow'}
        variant="light"
        icon={<IconCertificate size={18} />}
        mb={12}
        py={8}
      >
        {warning.text}
      </Alert>
    )
  )
}

function helpOf(user: Row<typeof User>): string {
  const activity = user.isOnline
    ? 'в сети'
    : user.lastActive
      ? `был в сети ${formatFromNow(user.lastActive)}`
      : 'ещё не входил'
  return [user.post, `логин ${user.login}`, activity].filter(Boolean).join(' · ')
}

/** Actions on the whole account. */
function UserActions({ user }: { user: Row<typeof User> }) {
  const navigate = useNavigate()
  const list = useOurPage('users')
  const cache = useQueryClient()
  const actor = useActor()
  const isMe = actor.id === user.id
  const [giving, setGiving] = useState(false)
  const [given, setGiven] = useState<GivenPassword>()
  const save = useSave(User)
  const remove = useRemove(User)
  const reset = useMutation({
    mutationFn: () => api('POST /users/:id/reset-password', { params: { id: user.id } }, { forbidden: 'toast' }),
    onSuccess: ({ password }) => {
      setGiven({ login: user.login, password })
      void cache.invalidateQueries({ queryKey: ['users', user.id, 'sessions'] })
    },
    onError: (error) => notify.error(errorMessage(error), { title: 'Пароль не изменён' }),
  })
  const onReset = async () => {
    const agreed = await confirm({
      title: 'Выдать новый пароль?',
      message: `Прежний пароль перестанет действовать, открытые сеансы завершатся: ${personName(user)}.`,
      confirm: 'Выдать пароль',
    })
    if (agreed) reset.mutate()
  }
  const setBlocked = (isBlocked: boolean) =>
    save.mutate(
      { id: user.id, isBlocked },
      {
        onSuccess: () =>
          notify.undo(isBlocked ? 'Вход закрыт, сеансы завершены' : 'Вход открыт', () =>
            save.mutate({ id: user.id, isBlocked: !isBlocked }),
          ),
      },
    )
  return (
    <>
      {user.isBlocked && (
        <Badge color="red" size="lg" leftSection={<IconLock size={14} />}>
          Вход закрыт
        </Badge>
      )}
      {pageAllowed(pageByKey('calendar'), actor) && (
        <ActionButton
          label="Смены"
          variant="default"
          icon={IconCalendarTime}
          renderRoot={(props) => <PageLink {...props} page="calendar" search={{ view: 'shifts' }} />}
        />
      )}
      <ActionButton
        label="Новый пароль"
        variant="default"
        icon={IconKey}
        loading={reset.isPending}
        onClick={() => void onReset()}
      />
      {user.isBlocked && (
        <ActionButton
          label="Открыть вход"
          icon={IconLockOpen}
          loading={save.isPending}
          onClick={() => setBlocked(false)}
        />
      )}
      <PrintMenu entity="users" id={user.id} />
      {!isMe && (
        <ActionMenu label="Другие действия" variant="default">
          <MenuItem label="Передать дела…" icon={IconTransferOut} onClick={() => setGiving(true)} />
          {!user.isBlocked && <MenuItem label="Закрыть вход" icon={IconLock} onClick={() => setBlocked(true)} />}
          <MenuItem
            label="Удалить сотрудника"
            danger
            icon={IconTrash}
            onClick={() =>
              remove.mutate(user.id, { onSuccess: () => void navigate({ to: `/${list.path}`, replace: true }) })
            }
          />
        </ActionMenu>
      )}
      {giving && <DutiesDialog user={user} onClose={() => setGiving(false)} />}
      <PasswordDialog given={given} onClose={() => setGiven(undefined)} />
    </>
  )
}
