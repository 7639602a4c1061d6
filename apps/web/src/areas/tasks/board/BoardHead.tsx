import { Box, Menu, Tooltip, VisuallyHidden } from '@mantine/core'
import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import {
  IconArchive,
  IconArrowLeft,
  IconCalendar,
  IconLayoutKanban,
  IconLayoutList,
  IconPencil,
  IconStar,
  IconStarFilled,
  IconTable,
  IconTrash,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { part } from '#kit/chunk.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { ViewSwitch } from '#kit/ViewSwitch.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { type BoardView, boardViews, noBoard, type SetTasksAddress, type TasksAddress } from '../address.ts'
import { BoardIcon } from '../boards/BoardIcon.tsx'
import { WorkspaceButtons } from '../workspace/WorkspaceButtons.tsx'
import classes from './BoardHead.module.css'
import { boardMenu } from './menus.ts'
import type { BoardData, BoardRights, BoardRow } from './useBoardData.ts'

const BoardForm = part(() => import('../boards/BoardForm.tsx'))
const MembersDrawer = part(() => import('../members/MembersDrawer.tsx'))
const FACES = 5

const views = {
  board: { label: boardViews.board, icon: IconLayoutKanban },
  list: { label: boardViews.list, icon: IconLayoutList },
  table: { label: boardViews.table, icon: IconTable },
  calendar: { label: boardViews.calendar, icon: IconCalendar },
}

interface Props {
  data: BoardData
  board: BoardRow
  rights: BoardRights
  address: TasksAddress
  setAddress: SetTasksAddress
}

export function BoardHead({ data, board, rights, address, setAddress }: Props) {
  const [dialog, setDialog] = useState<'form' | 'members'>()
  const [extra, setExtra] = useState<ReactNode>()
  const client = useQueryClient()
  const saveMember = useSave(BoardMember)
  const toList = () => setAddress(noBoard)
  const remove = useRemove(Board, { message: 'Пространство удалено' })
  const { me, members } = data
  const star = () =>
    me &&
    saveMember.mutate(
      { id: me.id, isFavourite: !board.isFavourite },
      { onSettled: () => void invalidateRecords(client, Board.path) },
    )
  const favourite = me?.isFavourite ?? board.isFavourite
  return (
    <header className={classes.head}>
      <IconButton icon={IconArrowLeft} label="Все пространства" onClick={toList} />
      <BoardIcon icon={board.icon} color={board.color} size={32} />
      <Box miw={0}>
        <h1 className={classes.title} title={board.description ?? undefined}>
          {board.name}
          {address.archive && <span className={classes.archive}>архив</span>}
        </h1>
      </Box>
      {board.isPublic && (
        <Tooltip label="Публичное: видно всем сотрудникам">
          <IconWorld size={18} className={classes.mark} aria-label="Публичное пространство" role="img" />
        </Tooltip>
      )}
      {me && (
        <IconButton
          icon={favourite ? IconStarFilled : IconStar}
          color={favourite ? 'yellow' : 'gray'}
          label={favourite ? 'Убрать из избранного' : 'Добавить в избранное'}
          aria-pressed={favourite}
          onClick={star}
        />
      )}
      <HStack gap={12} ml="auto" flex="none">
        <ViewSwitch<BoardView>
          views={views}
          view={address.view ?? 'board'}
          onChange={(view) => setAddress({ view: view === 'board' ? undefined : view, group: undefined })}
        />
        <WorkspaceButtons data={data} board={board} rights={rights} show={setExtra} />
        <button type="button" className={classes.people} onClick={() => setDialog('members')}>
          <HStack component="span" gap={3} align="stretch" aria-hidden>
            {members.slice(0, FACES).map((member) => (
              <HStack
                key={member.id}
                title={personName(member.user ?? {})}
                component="span"
                gap={0}
                align="stretch"
                display="inline-flex"
              >
                <UserAvatar user={member.user ?? {}} size={28} />
              </HStack>
            ))}
          </HStack>
          {members.length > FACES && <span aria-hidden>+{members.length - FACES}</span>}
          <VisuallyHidden>{`Участники: ${members.length}`}</VisuallyHidden>
        </button>
        {address.archive && (
          <ActionButton label="К доске" variant="light" onClick={() => setAddress({ archive: undefined })} />
        )}
        <ActionMenu label="Действия с пространством" variant="default" width={240}>
          {rights.editBoard && (
            <MenuItem label="Настройки пространства" icon={IconPencil} onClick={() => setDialog('form')} />
          )}
          <MenuItem label="Участники" icon={IconUsers} onClick={() => setDialog('members')} />
          <MenuItem
            label={address.archive ? 'Вернуться к доске' : 'Архив задач'}
            icon={IconArchive}
            onClick={() => setAddress({ archive: address.archive ? undefined : true })}
          />
          {boardMenu.map((Items, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a constant list
            <Items key={at} data={data} board={board} rights={rights} show={setExtra} />
          ))}
          {rights.deleteBoard && (
            <>
              <Menu.Divider />
              <MenuItem
                label="Удалить пространство"
                danger
                icon={IconTrash}
                onClick={() => remove.mutate(board.id, { onSuccess: toList })}
              />
            </>
          )}
        </ActionMenu>
      </HStack>
      {extra}
      {dialog === 'form' && (
        <BoardForm board={board} columns={data.columns.data?.items ?? []} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'members' && (
        <MembersDrawer data={data} board={board} rights={rights} onClose={() => setDialog(undefined)} />
      )}
    </header>
  )
}
