import { Box, Button } from '@mantine/core'
import { User } from '@ordinator/model/areas/staff/user'
import { IconUserOff } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { ApiError } from '#base/apiError.ts'
import { useAccountPath } from '#base/ourPage.ts'
import { useActor } from '#base/session.ts'
import { useRecordTitle } from '#base/title.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { useRecord } from '#records/reads.ts'
import { Contacts } from './Contacts.tsx'

/** Another user's profile. */
export default function PersonPage() {
  const { id: text = '' } = useParams({ strict: false }) as { id?: string }
  const id = /^\d{1,15}$/.test(text) ? Number(text) : undefined
  const { permissions } = useActor()
  const accountPath = useAccountPath()
  const person = useRecord(User, id, { expand: ['speciality'] })
  const user = person.data
  useRecordTitle(user && personName(user))
  if (id === undefined || (person.error instanceof ApiError && person.error.status === 404))
    return (
      <EmptyState
        icon={IconUserOff}
        title="Сотрудник не найден"
        text="Возможно, учётную запись удалили."
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>На рабочий стол</Button>}
      />
    )
  if (person.isError) return <ErrorState error={person.error} onRetry={() => void person.refetch()} />
  return (
    <>
      <PageHead
        title={user?.fio ?? (user ? 'Без имени' : 'Профиль сотрудника')}
        help={user ? [user.post, user.speciality?.name].filter(Boolean).join(' · ') || 'Должность не указана' : ''}
        start={<UserAvatar user={user ?? {}} size={56} online={user?.isOnline ?? false} />}
        actions={
          permissions.editUsers && (
            <ActionButton
              label="Учётная запись и права"
              variant="default"
              renderRoot={(props) => <Link to={accountPath(id)} {...props} />}
            />
          )
        }
      />
      <Box px="var(--ord-page)" pt={8} pb={32} maw={680}>
        <VStack component="section" gap={16} framed p={16} aria-label="Контакты">
          {user ? <Contacts person={user} online={user.isOnline} /> : <LinesSkeleton lines={4} />}
        </VStack>
      </Box>
    </>
  )
}
