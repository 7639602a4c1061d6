import { Menu } from '@mantine/core'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import { counted } from '@ordinator/model/format'
import {
  IconArchive,
  IconArrowsExchange,
  IconCrown,
  IconEraser,
  IconFolder,
  IconLink,
  IconMessage,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { records } from '#base/client.ts'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { part } from '#kit/chunk.ts'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyBoardFailure } from '../board/boardStore.ts'
import type { BoardMenuProps } from '../board/menuProps.ts'
import type { BoardRow } from '../board/useBoardData.ts'

const InviteDialog = part(() => import('../members/InviteDialog.tsx'))
const RelationsDialog = part(() => import('./RelationsDialog.tsx'))
const ResourcesPanel = part(() => import('./ResourcesPanel.tsx'))
const TalkPanel = part(() => import('./TalkPanel.tsx'))
const TransferDialog = part(() => import('./TransferDialog.tsx'))

const taskForms = ['задача', 'задачи', 'задач'] as const
/** Maximum records per batch on the server. */
const BATCH = 500

/** Further parts of a workspace. */
export function WorkspaceItems({ data, board, rights, show }: BoardMenuProps) {
  const close = () => show(undefined)
  return (
    <>
      <MenuItem
        label="Обсуждение"
        icon={IconMessage}
        onClick={() => show(<TalkPanel board={board} members={data.members} onClose={close} />)}
      />
      <MenuItem
        label="Материалы"
        icon={IconFolder}
        onClick={() => show(<ResourcesPanel board={board} mayEdit={rights.editBoard} onClose={close} />)}
      />
      {rights.editBoard && (
        <>
          <MenuItem
            label="Пригласить по ссылке"
            icon={IconLink}
            onClick={() => show(<InviteDialog board={board} onClose={close} />)}
          />
          <MenuItem
            label="Связанные пространства"
            icon={IconArrowsExchange}
            onClick={() => show(<RelationsDialog board={board} onClose={close} />)}
          />
        </>
      )}
    </>
  )
}

/** Actions on the whole workspace. */
export function WholeItems({ data, board, rights, show }: BoardMenuProps) {
  const archive = useArchiveCompleted(board)
  const clear = useClear(board)
  const close = () => show(undefined)
  const isMaster = rights.on.isOwner || rights.on.bypass
  return (
    <>
      <Menu.Divider />
      <MenuItem label="В архив завершённые" icon={IconArchive} onClick={() => void archive()} />
      {isMaster && (
        <>
          <MenuItem
            label="Передать пространство…"
            icon={IconCrown}
            onClick={() => show(<TransferDialog board={board} members={data.members} onClose={close} />)}
          />
          <MenuItem label="Очистить пространство…" danger icon={IconEraser} onClick={() => void clear()} />
        </>
      )}
    </>
  )
}

function useArchiveCompleted(board: BoardRow) {
  const client = useQueryClient()
  const refresh = () => invalidateRecords(client, Assigned.path)
  const back = async (ids: number[]) => {
    try {
      for (let at = 0; at < ids.length; at += BATCH)
        await records.batch(Assigned, { update: ids.slice(at, at + BATCH).map((id) => ({ id, isArchive: false })) })
    } catch (error) {
      notifyBoardFailure(error)
    }
    await refresh()
  }
  return async () => {
    try {
      const { ids } = await api(
        'POST /tasks-management/boards/:id/archive',
        { params: { id: board.id } },
        { forbidden: 'toast' },
      )
      if (ids.length === 0) return void notify.info('Завершённых задач, которые можно отправить в архив, нет')
      notify.undo(`В архиве: ${counted(ids.length, taskForms)}`, () => back(ids))
      await refresh()
    } catch (error) {
      notifyBoardFailure(error)
    }
  }
}

function useClear(board: BoardRow) {
  const client = useQueryClient()
  return async () => {
    try {
      const { _meta } = await records.list(Assigned, {
        filter: { 'column.idBoard': board.id, 'task.isTemplate': false },
        limit: 1,
        count: 'exact',
        fields: ['idTask'],
      })
      const total = _meta.totalCount ?? 0
      if (total === 0) return void notify.info('В пространстве нет задач')
      const agreed = await confirm({
        title: 'Очистить пространство?',
        message: `Из пространства «${board.name}» ${gone(total)}, вместе с архивом. Вернуть их можно только по одной: из корзины, в течение 30 дней. Задачи, которые есть и в других пространствах, останутся там.`,
        confirm: `Убрать ${counted(total, ['задачу', 'задачи', 'задач'])}`,
        danger: true,
      })
      if (!agreed) return
      await api('DELETE /tasks-management/boards/:id/tasks', { params: { id: board.id } }, { forbidden: 'toast' })
      notify.success(`Пространство очищено: ${counted(total, taskForms)}`)
      await Promise.all([invalidateRecords(client, Assigned.path), invalidateRecords(client, Task.path)])
    } catch (error) {
      notifyBoardFailure(error)
    }
  }
}

const gone = (total: number): string =>
  `${total % 10 === 1 && total % 100 !== 11 ? 'уйдёт' : 'уйдут'} ${counted(total, taskForms)}`
