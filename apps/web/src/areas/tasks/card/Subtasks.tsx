import { Box, Progress } from '@mantine/core'
import { Subtask } from '@ordinator/model/areas/tasks/subtask'
import { Task } from '@ordinator/model/areas/tasks/task'
import { IconLink, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { stepPlace } from '#kit/useSortable.ts'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import { useMove, useRemove, useSave } from '#records/writes.ts'
import { useTasksAddress } from '../address.ts'
import { notifyBoardFailure } from '../board/boardStore.ts'
import { sendVerb } from '../board/useVerbs.ts'
import { AddLines } from './AddLines.tsx'
import { cardAddress, type PlacedTask } from './placedTask.ts'
import type { SectionProps } from './SectionProps.ts'
import { SubtaskRow } from './SubtaskRow.tsx'
import type { SubtaskLink } from './subtaskLink.ts'
import classes from './Things.module.css'

const MAX_SHOWN = 200
const MAX_NAME = 255
const FOUND = 20

/** Subtasks: progress, next one, quick add, search for existing ones. */
export function Subtasks({ card, mayEdit, store }: SectionProps) {
  const idParentTask = card.idTask
  const client = useQueryClient()
  const [, setAddress] = useTasksAddress()
  const [linking, setLinking] = useState(false)
  const list = useList(
    Subtask,
    {
      filter: { idParentTask },
      expand: ['task.assigned.column', 'task.executors.member.user'],
      sort: 'index',
      limit: MAX_SHOWN,
    },
    { forbidden: 'silent' },
  )
  const links = (list.data?.items ?? []).filter((link) => link.task)
  const save = useSave(Subtask)
  const move = useMove(Subtask)
  const unlink = useRemove(Subtask, { message: 'Задача больше не подзадача' })
  const refresh = async () => {
    store.refreshTasks([idParentTask, ...links.map((link) => link.idTask)])
    await Promise.all([Subtask.path, Task.path].map((path) => invalidateRecords(client, path)))
  }
  if (links.length === 0 && !mayEdit) return null

  const add = async (name: string) => {
    try {
      await records.create(Task, { name, idParentTask })
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 403))
        notify.error(errorMessage(error), { title: 'Ошибка создания задачи' })
      throw error
    } finally {
      await refresh()
    }
  }
  const tick = async (link: SubtaskLink, done: boolean) => {
    const task = link.task as PlacedTask
    try {
      const row = await sendVerb(task.id, done ? 'complete' : task.isCompleted ? 'reopen' : 'withdraw')
      const text = row.isCompleted
        ? 'Подзадача завершена'
        : row.isWaitCheck
          ? 'Подзадача сдана на проверку'
          : 'Подзадача снова в работе'
      notify.undo(text, async () => {
        await sendVerb(task.id, 'undo').catch(notifyBoardFailure)
        await refresh()
      })
    } catch (error) {
      notifyBoardFailure(error)
    }
    await refresh()
  }
  const find = async (text: string, signal: AbortSignal) => {
    const known = [idParentTask, ...links.map((link) => link.idTask)]
    const { items } = await records.list(
      Task,
      {
        filter: { name: { ilike: text }, isTemplate: false, isArchive: false, id: { nin: known } },
        fields: ['id', 'name'],
        sort: '-dateChange',
        limit: FOUND,
      },
      { signal },
    )
    return items.map((task) => ({ value: task.id, label: task.name }))
  }

  const done = links.filter((link) => link.task?.isCompleted).length
  return (
    <section className={classes.thing} aria-label="Подзадачи">
      <div className={classes.head}>
        <h3 className={classes.title} style={{ marginLeft: 0 }}>
          Подзадачи
        </h3>
        {links.length > 0 && (
          <Fine flex="none">
            {done} из {links.length}
          </Fine>
        )}
        {mayEdit && (
          <HStack component="span" gap={4} display="inline-flex" ml="auto" flex="none">
            <ActionButton
              label="Связать"
              size="compact-sm"
              variant="subtle"
              color="gray"
              icon={IconLink}
              aria-expanded={linking}
              onClick={() => setLinking(!linking)}
            />
          </HStack>
        )}
      </div>
      {links.length > 0 && (
        <Progress
          size={4}
          mb={4}
          value={(done / links.length) * 100}
          attributes={{ section: { 'aria-label': `Завершено подзадач: ${done} из ${links.length}` } }}
        />
      )}
      <ul>
        {links.map((link, at) => (
          <SubtaskRow
            key={link.id}
            link={link}
            mayEdit={mayEdit}
            isFirst={at === 0}
            isLast={at === links.length - 1}
            onTick={(checked) => void tick(link, checked)}
            onOpen={() => setAddress(cardAddress(link.task as PlacedTask, store.scope.idBoard) ?? {})}
            onPut={(id, place) => move.mutate({ id, ...place })}
            onStep={(step) => {
              const place = stepPlace(links, link.id, step)
              if (place) move.mutate({ id: link.id, ...place })
            }}
            onShowParent={(canViewUpperTask) => save.mutate({ id: link.id, canViewUpperTask })}
            onUnlink={() => unlink.mutate(link.id)}
          />
        ))}
      </ul>
      {mayEdit && linking && (
        <div className={classes.head}>
          <Box maw={420} style={{ flex: 1 }}>
            <AjaxSelect
              size="xs"
              aria-label="Найти задачу, которая станет подзадачей"
              placeholder="Название задачи, от двух букв"
              load={find}
              value={null}
              onChange={(option) => {
                if (!option) return
                setLinking(false)
                save.mutate({ idParentTask, idTask: option.value }, { onSettled: () => void refresh() })
              }}
            />
          </Box>
          <IconButton icon={IconX} label="Не связывать" onClick={() => setLinking(false)} />
        </div>
      )}
      {mayEdit && <AddLines label="Новая подзадача" placeholder="Новая подзадача" maxLength={MAX_NAME} onAdd={add} />}
    </section>
  )
}
