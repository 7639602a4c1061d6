import { ActionIcon, Badge, Button, Collapse, Group, SegmentedControl, Switch, Text, TextInput } from '@mantine/core'
import { Board, Member } from '@ordinator/model/areas/tasks/board'
import { beyondRights, type MemberRights, ownMemberFields, type TaskLevel } from '@ordinator/model/areas/tasks/rights'
import { IconChevronDown, IconUserMinus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SidePanel } from '../../../kit/SidePanel.tsx'
import { personName, UserAvatar } from '../../../kit/UserAvatar.tsx'
import { RefSelect } from '../../../records/fields/RefSelect.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { useRemove, useSave } from '../../../records/writes.ts'
import type { BoardData, BoardRights, BoardRow, MemberRow } from '../board/useBoardData.ts'
import classes from './MembersDrawer.module.css'

interface Props {
  data: BoardData
  board: BoardRow
  rights: BoardRights
  onClose: () => void
}

/** Who works in the workspace and what each may do there. */
export default function MembersDrawer({ data, board, rights, onClose }: Props) {
  const { members, idUser } = data
  const client = useQueryClient()
  const add = useSave(Member)
  const [open, setOpen] = useState<number>()
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
    <SidePanel opened onClose={onClose} title={`Участники · ${members.length}`}>
      {rights.editBoard && (
        <div className={classes.add}>
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
        </div>
      )}
      <ul className={classes.list}>
        {members.map((member) => (
          <MemberItem
            key={member.id}
            member={member}
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

/** More ids than this do not fit a filter; the server refuses a second membership by itself. */
const MAX_EXCLUDED = 200

interface ItemProps {
  member: MemberRow
  isOwner: boolean
  isMe: boolean
  rights: BoardRights
  opened: boolean
  onToggle: () => void
  onLeft: () => void
}

function MemberItem({ member, isOwner, isMe, rights, opened, onToggle, onLeft }: ItemProps) {
  const save = useSave(Member)
  const client = useQueryClient()
  const name = personName(member.user ?? {})
  const remove = useRemove(Member, { message: isMe ? 'Вы вышли из пространства' : `${name}: исключён из пространства` })
  const set = (part: Partial<MemberRow>) => save.mutate({ id: member.id, ...part } as never)
  const master = rights.editBoard
  /** A right that one does not hold is not given on. */
  const mayGive = (part: Partial<MemberRights>) =>
    master && !isOwner && beyondRights(rights.on, part, member).length === 0
  const maySet = (field: string) => master || (isMe && (ownMemberFields as readonly string[]).includes(field))
  const fields = Member.fields
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        <button type="button" className={classes.open} aria-expanded={opened} onClick={onToggle}>
          <UserAvatar user={member.user ?? {}} />
          <span className={classes.text}>
            <span className={classes.name}>
              {name}
              {isMe && ' (вы)'}
            </span>
            <span className={classes.role}>{member.description || member.user?.post || 'Участник'}</span>
          </span>
          {isOwner && <Badge>Владелец</Badge>}
          <IconChevronDown size={18} className={classes.chevron} data-opened={opened || undefined} aria-hidden />
        </button>
        {!isOwner && (master || isMe) && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={isMe ? 'Выйти из пространства' : `Исключить: ${name}`}
            title={isMe ? 'Выйти из пространства' : 'Исключить'}
            onClick={() =>
              remove.mutate(member.id, {
                onSuccess: () => {
                  void invalidateRecords(client, Board.path)
                  if (isMe) onLeft()
                },
              })
            }
          >
            <IconUserMinus size={18} />
          </ActionIcon>
        )}
      </div>
      <Collapse expanded={opened}>
        {opened && (
          <div className={classes.rights}>
            <RoleField member={member} readOnly={!master} onSave={(description) => set({ description })} />
            <h3 className={classes.heading}>Задачи</h3>
            {levelFields.map((field) => (
              <div key={field} className={classes.level}>
                <Text size="sm" id={`${field}-${member.id}`}>
                  {fields[field].options.label}
                </Text>
                <SegmentedControl
                  size="xs"
                  aria-labelledby={`${field}-${member.id}`}
                  readOnly={!master || isOwner}
                  value={member[field]}
                  onChange={(value) => set({ [field]: value })}
                  data={levels.map(({ value, label }) => ({
                    value,
                    label,
                    disabled: value !== member[field] && !mayGive({ [field]: value }),
                  }))}
                />
              </div>
            ))}
            <h3 className={classes.heading}>Пространство</h3>
            {flagFields.map((field) => (
              <Switch
                key={field}
                label={fields[field].options.label}
                checked={member[field]}
                disabled={isOwner || (!member[field] && !mayGive({ [field]: true })) || !master}
                onChange={(event) => set({ [field]: event.currentTarget.checked })}
              />
            ))}
            <h3 className={classes.heading}>Новые задачи</h3>
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
        label={Member.fields.description.options.label}
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

/** From nothing to everything. */
const levels: readonly { value: TaskLevel; label: string }[] = [
  { value: 'none', label: 'Нет' },
  { value: 'my', label: 'Свои' },
  { value: 'emptymy', label: 'Свои и ничьи' },
  { value: 'all', label: 'Все' },
]

const levelFields = [
  'permissionToViewTasks',
  'permissionToEditTasks',
  'permissionToAssignTasks',
  'permissionToDeleteTasks',
  'permissionToEditTemplates',
] as const

const flagFields = [
  'canCreateTask',
  'canManuallyDragTask',
  'creatorClosesTaskAsExecutor',
  'canEditColumn',
  'canEditBoard',
  'canRelationBoard',
] as const

const taskFields = [
  'isDefaultResponsible',
  'isTaskDefaultResponsible',
  'isTaskDefaultExecutor',
  'isConfirmCreate',
  'openAfterCreate',
  'isFavourite',
] as const
