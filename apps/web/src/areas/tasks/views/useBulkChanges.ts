import { Assigned, Executor, Task, TaskTag } from '@ordinator/model/areas/tasks/task'
import { counted } from '@ordinator/model/format'
import { isNamed } from '#kit/isNamed.ts'
import { notify } from '#kit/notify.tsx'
import { bulkRecords, bulkToggle, useBulkRun } from '#records/table/useBulkRun.ts'
import type { Card } from '../cards.ts'
import type { MemberRow } from '../people.ts'
import { useTemplateCalls } from '../templates/calls.ts'

const taskForms = ['задача', 'задачи', 'задач'] as const

/** Changes of several cards, with undo. @param changed gets the changed tasks */
export function useBulkChanges(changed: (tasks: number[]) => void) {
  const { makeTemplates, removeMade } = useTemplateCalls()

  const run = useBulkRun<Card>({
    forms: taskForms,
    nameOf: (card) => card.task.name,
    paths: [Task.path, Assigned.path],
    changed: (cards) => changed(cards.map((card) => card.idTask)),
  })

  type Values = Partial<Pick<Card['task'], 'importance' | 'isArchive'>> & {
    dateEnd?: string | null
    dateStart?: string | null
  }
  const set = (all: Card[], done: string, values: Values) =>
    run(all, Task, done, async (cards) => {
      const before = cards.map(({ task }) => ({
        id: task.id,
        ...Object.fromEntries(Object.keys(values).map((name) => [name, task[name as keyof typeof task] ?? null])),
      }))
      await bulkRecords.batch(Task, { update: cards.map(({ idTask }) => ({ id: idTask, ...values })) })
      return () => bulkRecords.batch(Task, { update: before as { id: number }[] })
    })

  const togglePerson = (all: Card[], member: MemberRow) =>
    bulkToggle(
      run,
      Executor,
      { on: 'Исполнитель назначен', off: 'Исполнитель снят' },
      ({ task }) => task.executors.filter(({ idMember }) => idMember === member.id).map(({ id }) => id),
      ({ idTask }) => ({ idTask, idMember: member.id }),
    )(all)

  const toggleTag = (all: Card[], tag: { name: string; color: string }) =>
    bulkToggle(
      run,
      TaskTag,
      { on: 'Метка добавлена', off: 'Метка снята' },
      ({ task }) => task.tags.filter(isNamed(tag.name)).map(({ id }) => id),
      ({ idTask }) => ({ idTask, ...tag }),
    )(all)

  const move = (all: Card[], idColumn: number, name: string) =>
    run(all, Assigned, `Перемещено в «${name}»`, async (cards) => {
      await bulkRecords.batch(Assigned, { update: cards.map(({ id }) => ({ id, idColumn })) })
      return () =>
        bulkRecords.batch(Assigned, { update: cards.map((card) => ({ id: card.id, idColumn: card.idColumn })) })
    })

  const archive = (all: Card[]) => {
    const isArchive = !all.every((card) => card.isArchive)
    return run(all, Assigned, isArchive ? 'В архиве' : 'Возвращено из архива', async (cards) => {
      await bulkRecords.batch(Assigned, { update: cards.map(({ id }) => ({ id, isArchive })) })
      return () =>
        bulkRecords.batch(Assigned, { update: cards.map((card) => ({ id: card.id, isArchive: card.isArchive })) })
    })
  }

  const remove = (all: Card[]) =>
    run(all, Task, 'Удалено', async (cards) => {
      await bulkRecords.batch(Task, { delete: cards.map((card) => card.idTask) })
      return async () => {
        for (const { idTask } of cards) await bulkRecords.restore(Task, idTask)
      }
    })

  const toTemplates = async (cards: Card[]) => {
    const made = await makeTemplates(cards.map((card) => card.id))
    if (!made) return false
    notify.undo(`Сохранено в шаблоны: ${counted(made.length, taskForms)}`, () =>
      removeMade(made.map((card) => card.idTask)),
    )
    return true
  }

  return { set, togglePerson, toggleTag, move, archive, remove, toTemplates }
}
