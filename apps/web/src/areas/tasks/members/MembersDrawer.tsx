import { Badge, Box, Button, Collapse, Group, Switch, Text, TextInput, Title } from '@mantine/core'
import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import { beyondRights, type MemberRights, ownMemberFields } from '@ordinator/model/areas/tasks/rights'
import { counted } from '@ordinator/model/format'
import { IconChevronDown, IconDoorExit, IconLink, IconUserMinus, IconUsersPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import type { BoardData, BoardRights, BoardRow } from '../board/useBoardData.ts'
import { memberForms } from '../boards/memberForms.ts'
import type { MemberRow } from '../people.ts'
import classes from './MembersDrawer.module.css'
import { RightsFields } from './RightsFields.tsx'

const AddGroup = part(() => import('./AddGroup.tsx'))
const InviteDialog = part(() => import('./InviteDialog.tsx'))
/** Page limit of the engine; larger workspaces are not counted. */
const MAX_COUNTED = 500

interface Props {
  data: BoardData
  board: BoardRow
  rights: BoardRights
  onClose: () => void
}

/** Members of the workspace with their rights. */
export default function MembersDrawer({ data, board, rights, onClose }: Props) {
  const { members, idUser } = data
  const client = useQueryClient()
  const add = useSave(BoardMember)
  const [open, setOpen] = useState<number>()
  const [dialog, setDialog] = useState<'group' | 'invite'>()
  const counts = useCounts(board.id)
  const addUser = (id: number) =>
    add.mutate(
      { idBoard: board.id, idUser: id },
      {
        onSuccess: (row) => {
          setOpen(row.id)
          void invalidateRecords(client, Board.path)
        },
      },
    )
  return (
    <SidePanel opened onClose={onClose} title={counted(members.length, memberForms)}>
      {rights.editBoard && (
        <Box mb={16}>
          <RefSelect
            key={members.length}
            to="users"
            label="Добавить участника"
            placeholder="Фамилия, телефон или должность"
            filter={members.length < MAX_EXCLUDED ? { id: { nin: members.map((m) => m.idUser) } } : undefined}
            value={null}
            onChange={(id) => {
              if (id !== null) addUser(id)
            }}
          />
          <HStack align="stretch" wrap mt={8}>
            <ActionButton
              label="Добавить группу"
              variant="default"
              icon={IconUsersPlus}
              onClick={() => setDialog('group')}
            />
            <ActionButton
              label="Пригласить по ссылке"
              variant="default"
              icon={IconLink}
              onClick={() => setDialog('invite')}
            />
          </HStack>
        </Box>
      )}
      {dialog === 'group' && <AddGroup board={board} rights={rights} onClose={() => setDialog(undefined)} />}
      {dialog === 'invite' && <InviteDialog board={board} onClose={() => setDialog(undefined)} />}
      <ul>
        {members.map((member) => (
          <MemberItem
            key={member.id}
            member={member}
            counts={counts.get(member.id)}
            isOwner={member.idUser === board.idUser}
            isMe={member.idUser === idUser}
            rights={rights}
            opened={open === member.id}
            onToggle={() => setOpen(open === member.id ? undefined : member.id)}
            onLeft={onClose}
          />
        ))}
      </ul>
    </SidePanel>
  )
}

/** Maximum excluded ids in a filter; the server rejects a second membership itself. */
const MAX_EXCLUDED = 200

interface ItemProps {
  member: MemberRow
  /** Absent while loading. */
  counts: Counts | undefined
  isOwner: boolean
  isMe: boolean
  rights: BoardRights
  opened: boolean
  onToggle: () => void
  onLeft: () => void
}

function MemberItem({ member, counts, isOwner, isMe, rights, opened, onToggle, onLeft }: ItemProps) {
  const save = useSave(BoardMember)
  const client = useQueryClient()
  const name = personName(member.user ?? {})
  const remove = useRemove(BoardMember, {
    message: isMe ? 'Вы вышли из пространства' : `${name}: исключён из пространства`,
  })
  const set = (part: Partial<MemberRow>) => save.mutate({ id: member.id, ...part })
  const master = rights.editBoard
  /** Rights that the user does not have cannot be granted. */
  const mayGive = (part: Partial<MemberRights>) =>
    master && !isOwner && beyondRights(rights.on, part, member).length === 0
  const maySet = (field: string) => master || (isMe && (ownMemberFields as readonly string[]).includes(field))
  const fields = BoardMember.fields
  return (
    <li className={classes.item}>
      <HStack gap={4}>
        <button type="button" className={classes.open} aria-expanded={opened} onClick={onToggle}>
          <UserAvatar user={member.user ?? {}} />
          <VStack component="span" gap={0} grow>
            <Text span inherit truncate fw={500}>
              {name}
              {isMe && ' (вы)'}
            </Text>
            <Fine truncate>{member.description || member.user?.post || 'Участник'}</Fine>
            {counts && <OpenTasks counts={counts} />}
          </VStack>
          {isOwner && <Badge>Владелец</Badge>}
          <IconChevronDown size={18} className={classes.chevron} data-opened={opened || undefined} aria-hidden />
        </button>
        {!isOwner && (master || isMe) && (
          <IconButton
            icon={isMe ? IconDoorExit : IconUserMinus}
            label={isMe ? 'Выйти из пространства' : `Исключить: ${name}`}
            title={isMe ? 'Выйти из пространства' : 'Исключить'}
            onClick={() =>
              remove.mutate(member.id, {
                onSuccess: () => {
                  void invalidateRecords(client, Board.path)
                  if (isMe) onLeft()
                },
              })
            }
          />
        )}
      </HStack>
      <Collapse expanded={opened}>
        {opened && (
          <div className={classes.rights}>
            <RoleField member={member} readOnly={!master} onSave={(description) => set({ description })} />
            <RightsFields value={member} onChange={set} mayGive={mayGive} readOnly={!master || isOwner} />
            <Title order={3} fz="xs" lh="xs" mt={12} c="dimmed">
              Новые задачи
            </Title>
            {taskFields.map((field) => (
              <Switch
                key={field}
                label={fields[field].options.label}
                checked={member[field]}
                disabled={!maySet(field)}
                onChange={(event) => set({ [field]: event.currentTarget.checked })}
              />
            ))}
          </div>
        )}
      </Collapse>
    </li>
  )
}

interface Counts {
  tasksYesterday?: number | null
  tasksToday?: number | null
  tasksTomorrow?: number | null
  tasksOther?: number | null
}

/** Visible open tasks of each member, by due date. */
function useCounts(idBoard: number): Map<number, Counts> {
  const list = useList(
    BoardMember,
    {
      filter: { idBoard },
      fields: ['tasksYesterday', 'tasksToday', 'tasksTomorrow', 'tasksOther'],
      limit: MAX_COUNTED,
    },
    { forbidden: 'silent', staleTime: 0 },
  )
  return new Map(list.data?.items.map((row) => [row.id, row]))
}

const countNames = {
  tasksYesterday: 'Вчера',
  tasksToday: 'Сегодня',
  tasksTomorrow: 'Завтра',
  tasksOther: 'Прочие',
} as const

function OpenTasks({ counts }: { counts: Counts }) {
  const some = (Object.keys(countNames) as (keyof Counts)[]).filter((name) => counts[name])
  return (
    <span className={classes.counts}>
      {some.length === 0
        ? 'Открытых задач нет'
        : some.map((name) => (
            <span key={name} data-count={name} className="tabular">
              {countNames[name]} {counts[name]}
            </span>
          ))}
    </span>
  )
}

function RoleField({
  member,
  readOnly,
  onSave,
}: {
  member: MemberRow
  readOnly: boolean
  onSave: (text: string | null) => void
}) {
  const [text, setText] = useState(member.description ?? '')
  const changed = text.trim() !== (member.description ?? '')
  const save = () => changed && onSave(text.trim() || null)
  return (
    <Group gap={8} align="flex-end" wrap="nowrap">
      <TextInput
        flex={1}
        label={BoardMember.fields.description.options.label}
        placeholder="Например, координатор"
        maxLength={255}
        readOnly={readOnly}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && save()}
      />
      {changed && !readOnly && <Button onClick={save}>Сохранить</Button>}
    </Group>
  )
}

const taskFields = [
  'isDefaultResponsible',
  'isTaskDefaultResponsible',
  'isTaskDefaultExecutor',
  'isConfirmCreate',
  'openAfterCreate',
  'isFavourite',
] as const
