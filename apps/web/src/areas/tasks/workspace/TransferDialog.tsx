import { Select, Text } from '@mantine/core'
import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { personName } from '#kit/UserAvatar.tsx'
import { invalidateRecords } from '#records/keys.ts'
import type { BoardRow } from '../board/useBoardData.ts'
import type { MemberRow } from '../people.ts'

interface Props {
  board: BoardRow
  members: readonly MemberRow[]
  onClose: () => void
}

/** Transfers the workspace to another member. */
export default function TransferDialog({ board, members, onClose }: Props) {
  const client = useQueryClient()
  const [to, setTo] = useState<string | null>(null)
  const others = members.filter((member) => member.idUser !== board.idUser)
  const name = personName(others.find((member) => String(member.idUser) === to)?.user ?? {})
  const give = useMutation({
    mutationFn: () =>
      api(
        'POST /tasks-management/boards/:id/owner',
        { params: { id: board.id }, body: { idUser: Number(to) } },
        { forbidden: 'toast' },
      ),
    onSuccess: () => notify.success(`Новый владелец: ${name}`),
    onSettled: () => Promise.all([invalidateRecords(client, Board.path), invalidateRecords(client, BoardMember.path)]),
  })
  return (
    <ActionDialog
      title="Передать пространство"
      size={480}
      action={to === null ? 'Передать' : `Передать: ${name}`}
      disabled={to === null}
      run={() => give.mutateAsync()}
      onClose={onClose}
    >
      {others.length === 0 ? (
        <Text>Передать можно только участнику, а других участников пока нет. Сначала добавьте сотрудника.</Text>
      ) : (
        <>
          <Select
            label="Новый владелец"
            placeholder="Выберите участника"
            searchable
            data-autofocus
            openOnFocus={false}
            nothingFoundMessage="Такого участника нет"
            data={others.map((member) => ({
              value: String(member.idUser),
              label: member.user?.fio ?? personName(member.user ?? {}),
            }))}
            value={to}
            onChange={setTo}
          />
          <Text c="dimmed">
            Новый владелец получит все права на пространство «{board.name}»: удалять и передавать его сможет только он.
            Прежний останется участником со всеми правами, но владелец сможет их изменить. Вернуть пространство сможет
            только новый владелец.
          </Text>
        </>
      )}
    </ActionDialog>
  )
}
