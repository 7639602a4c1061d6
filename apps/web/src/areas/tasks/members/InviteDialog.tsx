import { Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CopyButton } from '#kit/CopyButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { Fine } from '#kit/Words.tsx'
import type { BoardRow } from '../board/useBoardData.ts'

/** Invitation link to the workspace. */
export default function InviteDialog({ board, onClose }: { board: BoardRow; onClose: () => void }) {
  const client = useQueryClient()
  const params = { id: board.id }
  const key = ['invitation', board.id]
  const link = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      api('GET /tasks-management/boards/:id/invitation', { params }, { signal, forbidden: 'silent' }),
    gcTime: 0,
  })
  const renew = useMutation({
    mutationFn: () =>
      api('GET /tasks-management/boards/:id/invitation', { params, query: { renew: '1' } }, { forbidden: 'toast' }),
    onSuccess: (made) => {
      client.setQueryData(key, made)
      notify.success('Новая ссылка готова, прежняя больше не работает')
    },
    onError: (error) => notify.error(errorMessage(error)),
  })
  const askRenew = async () => {
    const agreed = await confirm({
      title: 'Сделать новую ссылку?',
      message: 'Прежняя ссылка сразу перестанет работать у всех, кому её отправили.',
      confirm: 'Сделать новую',
    })
    if (agreed) renew.mutate()
  }
  return (
    <Dialog onClose={onClose} title="Ссылка-приглашение" size={520}>
      {link.isError ? (
        <ErrorState title="Ссылка не получена" error={link.error} onRetry={() => void link.refetch()} />
      ) : (
        <Stack gap={12}>
          <Text c="dimmed">
            По ссылке любой сотрудник с доступом к задачам вступит в пространство «{board.name}» обычным участником:
            видит и меняет свои задачи.
          </Text>
          <Group gap={8} align="flex-end" wrap="nowrap">
            <TextInput
              flex={1}
              label="Ссылка"
              readOnly
              value={link.data?.url ?? ''}
              placeholder="Получаем ссылку…"
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton value={link.data?.url ?? ''}>
              {({ copied, copy }) => (
                <ActionButton
                  label={copied ? 'Скопировано' : 'Копировать'}
                  disabled={!link.data}
                  icon={copied ? IconCheck : IconCopy}
                  onClick={copy}
                />
              )}
            </CopyButton>
          </Group>
          <Group justify="space-between">
            <Fine component="p">{link.data ? `Действует с ${formatDateTime(link.data.dateCreate)}` : ' '}</Fine>
            <ActionButton
              label="Сделать новую ссылку"
              variant="subtle"
              size="compact-sm"
              icon={IconRefresh}
              disabled={!link.data}
              loading={renew.isPending}
              onClick={() => void askRenew()}
            />
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}
