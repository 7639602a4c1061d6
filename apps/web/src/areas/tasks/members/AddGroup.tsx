import { Box, Checkbox, Skeleton, Text } from '@mantine/core'
import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import { beyondRights, type MemberRights } from '@ordinator/model/areas/tasks/rights'
import { counted } from '@ordinator/model/format'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { WayTo } from '#base/WayTo.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import type { BoardRights, BoardRow } from '../board/useBoardData.ts'
import classes from './AddGroup.module.css'
import { RightsFields } from './RightsFields.tsx'
import { presets, rightsOf } from './rights.ts'

interface Props {
  board: BoardRow
  rights: BoardRights
  onClose: () => void
}

const staffForms = ['сотрудника', 'сотрудников', 'сотрудников'] as const

/** Adds all users of some roles to the workspace. */
export default function AddGroup({ board, rights, onClose }: Props) {
  const client = useQueryClient()
  const params = { id: board.id }
  const offered = useQuery({
    queryKey: ['records', BoardMember.path, 'groups', board.id],
    queryFn: ({ signal }) =>
      api('GET /tasks-management/boards/:id/groups', { params }, { signal, forbidden: 'silent' }),
  })
  const mayGive = (part: Partial<MemberRights>) => beyondRights(rights.on, part).length === 0
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [given, setGiven] = useState<MemberRights>(() => firstGiven(mayGive, rights.on.member))
  const [detailed, setDetailed] = useState(false)
  const roles = offered.data?.items ?? []
  const people = new Set(roles.filter((role) => chosen.includes(role.id)).flatMap((role) => role.users))
  const add = useMutation({
    mutationFn: () =>
      api(
        'POST /tasks-management/boards/:id/groups',
        { params, body: { groups: [...chosen], ...given } },
        { forbidden: 'toast' },
      ),
    onSuccess: (made) =>
      notify.success(
        made.length
          ? `Добавлено: ${counted(made.length, ['сотрудник', 'сотрудника', 'сотрудников'])}`
          : 'Все уже участники',
      ),
    onSettled: () => Promise.all([invalidateRecords(client, Board.path), invalidateRecords(client, BoardMember.path)]),
  })
  const toggle = (id: number) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <ActionDialog
      title="Добавить группу"
      size={560}
      action={people.size ? `Добавить ${counted(people.size, staffForms)}` : 'Добавить'}
      disabled={people.size === 0}
      run={() => add.mutateAsync()}
      onClose={onClose}
    >
      {offered.isPending ? (
        <div aria-busy="true" className={classes.roles}>
          {[0, 1, 2, 3].map((i) => (
            <Skeleton key={i} height={36} />
          ))}
        </div>
      ) : offered.isError ? (
        <ErrorState title="Роли не загрузились" error={offered.error} onRetry={() => void offered.refetch()} />
      ) : roles.length === 0 ? (
        <EmptyState title="Ролей пока нет" action={<WayTo page="roles" label="К ролям" />} />
      ) : (
        <Box className={classes.roles} role="group" aria-label="Роли">
          {roles.map((role) => (
            <Checkbox
              key={role.id}
              classNames={{ root: classes.role, body: classes.roleBody, labelWrapper: classes.roleLabel }}
              checked={chosen.includes(role.id)}
              disabled={role.users.length === 0}
              onChange={() => toggle(role.id)}
              label={
                <HStack component="span" gap={12} align="stretch">
                  <Text span inherit miw={0} flex={1} className="breaks">
                    {role.name}
                  </Text>
                  <Fine flex="none">{role.users.length ? `+${role.users.length}` : 'все уже участники'}</Fine>
                </HStack>
              }
            />
          ))}
        </Box>
      )}
      <VStack gap={10}>
        <Text fw={600}>Права добавляемых</Text>
        <RightsFields
          value={given}
          onChange={(part) => setGiven({ ...given, ...part })}
          mayGive={mayGive}
          readOnly={false}
          folded={!detailed}
        />
        <ActionButton
          label={detailed ? 'Свернуть права' : 'Настроить права'}
          className={classes.details}
          variant="subtle"
          size="compact-sm"
          aria-expanded={detailed}
          onClick={() => setDetailed(!detailed)}
        />
      </VStack>
    </ActionDialog>
  )
}

/** An executor's rights, or the user's own if fewer. */
function firstGiven(mayGive: (rights: MemberRights) => boolean, own: MemberRights | undefined): MemberRights {
  const executor = presets.find((preset) => preset.key === 'executor')?.rights as MemberRights
  return mayGive(executor) || !own ? executor : { ...rightsOf(own), canEditBoard: false }
}
