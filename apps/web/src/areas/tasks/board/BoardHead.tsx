import { ActionIcon, Button, Menu, Tooltip, VisuallyHidden } from '@mantine/core'
import { Board, BoardMember } from '@ordinator/model/areas/tasks/board'
import {
  IconArchive,
  IconArrowLeft,
  IconCalendar,
  IconDots,
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
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { personName, UserAvatar } from '../../../kit/UserAvatar.tsx'
import { ViewSwitch } from '../../../kit/ViewSwitch.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { useRemove, useSave } from '../../../records/writes.ts'
import { type BoardView, boardViews, noBoard, type SetTasksAddress, type TasksAddress } from '../address.ts'
import { BoardIcon } from '../boards/BoardIcon.tsx'
import { WorkspaceButtons } from '../workspace/WorkspaceButtons.tsx'
import classes from './BoardHead.module.css'
import { boardMenu } from './menus.ts'
import type { BoardData, BoardRights, BoardRow } from './useBoardData.ts'

const BoardForm = lazy(() => import('../boards/BoardForm.tsx'))
const MembersDrawer = lazy(() => import('../members/MembersDrawer.tsx'))
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
      <ActionIcon variant="subtle" color="gray" aria-label="Все пространства" onClick={toList}>
        <IconArrowLeft size={18} />
      </ActionIcon>
      <BoardIcon icon={board.icon} color={board.color} size={32} />
      <div className={classes.text}>
        <h1 className={classes.title} title={board.description ?? undefined}>
          {board.name}
          {address.archive && <span className={classes.archive}>архив</span>}
        </h1>
      </div>
      {board.isPublic && (
        <Tooltip label="Публичное: видно всем сотрудникам">
          <IconWorld size={18} className={classes.mark} aria-label="Публичное пространство" role="img" />
        </Tooltip>
      )}
      {me && (
        <ActionIcon
          variant="subtle"
          color={favourite ? 'yellow' : 'gray'}
          aria-label={favourite ? 'Убрать из избранного' : 'Добавить в избранное'}
          aria-pressed={favourite}
          onClick={star}
        >
          {favourite ? <IconStarFilled size={18} /> : <IconStar size={18} />}
        </ActionIcon>
      )}
      <div className={classes.actions}>
        <ViewSwitch<BoardView>
          views={views}
          view={address.view ?? 'board'}
          onChange={(view) => setAddress({ view: view === 'board' ? undefined : view, group: undefined })}
        />
        <WorkspaceButtons data={data} board={board} rights={rights} show={setExtra} />
        <button type="button" className={classes.people} onClick={() => setDialog('members')}>
          <span className={classes.faces} aria-hidden>
            {members.slice(0, FACES).map((member) => (
              <span key={member.id} title={personName(member.user ?? {})} className={classes.face}>
                <UserAvatar user={member.user ?? {}} size={28} />
              </span>
            ))}
          </span>
          {members.length > FACES && (
            <span className={classes.rest} aria-hidden>
              +{members.length - FACES}
            </span>
          )}
          <VisuallyHidden>{`Участники: ${members.length}`}</VisuallyHidden>
        </button>
        {address.archive && (
          <Button variant="light" onClick={() => setAddress({ archive: undefined })}>
            К доске
          </Button>
        )}
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon variant="default" aria-label="Действия с пространством">
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {rights.editBoard && (
              <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('form')}>
                Настройки пространства
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconUsers size={16} />} onClick={() => setDialog('members')}>
              Участники
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArchive size={16} />}
              onClick={() => setAddress({ archive: address.archive ? undefined : true })}
            >
              {address.archive ? 'Вернуться к доске' : 'Архив задач'}
            </Menu.Item>
            {boardMenu.map((Items, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a constant list
              <Items key={at} data={data} board={board} rights={rights} show={setExtra} />
            ))}
            {rights.deleteBoard && (
              <>
                <Menu.Divider />
                <Menu.Item
                  color="var(--mantine-color-error)"
                  leftSection={<IconTrash size={16} />}
                  onClick={() => remove.mutate(board.id, { onSuccess: toList })}
                >
                  Удалить пространство
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
      {extra}
      <Suspense>
        {dialog === 'form' && (
          <BoardForm board={board} columns={data.columns.data?.items ?? []} onClose={() => setDialog(undefined)} />
        )}
        {dialog === 'members' && (
          <MembersDrawer data={data} board={board} rights={rights} onClose={() => setDialog(undefined)} />
        )}
      </Suspense>
    </header>
  )
}
