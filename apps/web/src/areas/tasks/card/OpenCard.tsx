import { Tabs } from '@mantine/core'
import { TaskFile } from '@ordinator/model/areas/tasks/file'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Attachments } from '#areas/files/index.ts'
import { errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { useRecordTitle } from '#base/title.ts'
import { CardField } from '#kit/CardField.tsx'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { notify } from '#kit/notify.tsx'
import classes from '#kit/openCard.module.css'
import { DraftName, DraftNotice } from '#records/DraftHead.tsx'
import { richText } from '#records/fields/richText.tsx'
import { ConflictDialog } from '#records/form/ConflictDialog.tsx'
import { invalidateRecords, recordKeys } from '#records/keys.ts'
import { useRecordDraft } from '#records/recordDraft.ts'
import { SaveState } from '#records/SaveState.tsx'
import type { BoardStore } from '../board/boardStore.ts'
import type { BoardData, BoardRights } from '../board/useBoardData.ts'
import { Importance } from '../Importance.tsx'
import type { PeopleKind } from '../taskParts.ts'
import { Activity } from './Activity.tsx'
import { PeopleField, TagsField } from './CardChips.tsx'
import { CardTop } from './CardTop.tsx'
import type { FullCard, TaskRow } from './fullCard.ts'
import { ParentTasks } from './ParentTasks.tsx'
import { mainSections, sideSections, stateSections } from './sections.ts'
import { TaskFacts } from './TaskFacts.tsx'
import { toTask } from './taskUploads.ts'

interface Props {
  card: FullCard
  data: BoardData
  rights: BoardRights
  store: BoardStore
  onClose: () => void
}

const Rich = richText.Input as NonNullable<typeof richText.Input>

export function OpenCard({ card, data, rights, store, onClose }: Props) {
  const client = useQueryClient()
  const { task } = card
  useRecordTitle(task.name)
  const saved = (row: TaskRow) => {
    client.setQueriesData<FullCard>({ queryKey: [...recordKeys.views(Assigned.path), card.id] }, (now) =>
      now ? { ...now, task: { ...now.task, ...row } } : now,
    )
    store.cards.patch(card.id, (now) => ({ ...now, task: { ...now.task, ...pick(row) } }))
    store.refresh([card.id])
    void client.invalidateQueries({ queryKey: recordKeys.history(Task.path, row.id) })
  }
  const { draft, state } = useRecordDraft(Task, task, saved, 'Задача не сохранена')

  const [picking, setPicking] = useState<PeopleKind | 'tags'>()
  const mayEdit = rights.task('edit', task)
  const mayAssign = rights.task('assign', task)
  const shown = { ...task, ...state.changes }

  const toColumn = (idColumn: number) => {
    const from = store.cards.move(card.id, { column: idColumn, at: 'first' })
    client.setQueriesData<FullCard>(
      { queryKey: [...recordKeys.views(Assigned.path), card.id] },
      (now) => now && { ...now, idColumn },
    )
    void store
      .save(card.id, from ?? { column: card.idColumn, at: 'first' }, { column: idColumn, at: 'first' })
      .then(() => invalidateRecords(client, Assigned.path))
  }

  const setCover = async (idCover: number | null) => {
    try {
      saved(await records.update(Task, task.id, { idCover }))
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Обложка не изменена' })
    }
  }

  const section = { card, data, rights, store, mayEdit, onClose }
  const group = 'Карточка'
  useHotkey('t', () => mayEdit && setPicking('tags'), { label: 'Метки', group })
  useHotkey('a', () => mayAssign && setPicking('executors'), { label: 'Исполнители', group })
  useHotkey('mod+enter', () => void draft.flush(), { label: 'Сохранить сейчас', group })

  /** Props of a field whose picker opens by click or key. */
  const picker = (what: PeopleKind | 'tags') => ({
    card,
    store,
    isOpen: picking === what,
    onOpen: (opened: boolean) => setPicking(opened ? what : undefined),
  })

  return (
    <>
      <CardTop {...section} onMove={toColumn}>
        <SaveState state={state} onRetry={() => void draft.flush()} />
      </CardTop>

      <div className={classes.layout}>
        <div className={classes.main}>
          <DraftNotice draft={draft} state={state} />
          <ParentTasks idTask={task.id} idBoard={store.scope.idBoard} />
          <DraftName
            draft={draft}
            state={state}
            name="name"
            saved={task.name}
            label="Название задачи"
            readOnly={!mayEdit}
          />
          <Tabs defaultValue="task" keepMounted={false} variant="default">
            <Tabs.List mb="sm">
              <Tabs.Tab value="task">Задача</Tabs.Tab>
              <Tabs.Tab value="history">История</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="task">
              <Rich
                entity={Task}
                name="description"
                f={Task.fields.description}
                label="Описание"
                placeholder={mayEdit ? 'Подробности, ссылки, что считать сделанным' : 'Описания нет'}
                readOnly={!mayEdit}
                value={shown.description}
                error={state.errors.description}
                onChange={(value) => draft.change({ description: value as string | null }, true)}
                onBlur={() => void draft.flush()}
              />
              <Attachments
                links={TaskFile}
                of={{ idTask: task.id }}
                target={(cache) => toTask(task.id, cache)}
                expected={task.filesCount}
                mayEdit={mayEdit}
                to="к задаче"
                cover={{ id: task.idCover, set: setCover }}
              />
              {mainSections.map((Part, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a constant list
                <Part key={at} {...section} />
              ))}
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <Activity task={task} mayEdit={mayEdit} onTask={saved} />
            </Tabs.Panel>
          </Tabs>
        </div>

        <aside className={classes.side} aria-label="Свойства задачи">
          {stateSections.map((Part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a constant list
            <Part key={at} {...section} />
          ))}
          <CardField label="Важность">
            <Importance
              value={shown.importance}
              readOnly={!mayEdit}
              onChange={(importance) => draft.change({ importance }, true)}
            />
          </CardField>
          {(['dateStart', 'dateEnd'] as const).map((name) => (
            <DateTimeField
              key={name}
              name={name}
              label={Task.fields[name].options.label}
              defaultTime={name === 'dateEnd' ? '18:00' : '09:00'}
              readOnly={!mayEdit}
              value={shown[name]}
              error={state.errors[name]}
              onChange={(value) => draft.change({ [name]: value } as Partial<TaskRow>, true)}
              onBlur={() => void draft.flush()}
            />
          ))}
          <PeopleField
            {...picker('executors')}
            kind="executors"
            label="Исполнители"
            members={data.members}
            mayEdit={mayAssign}
          />
          <PeopleField
            {...picker('responsible')}
            kind="responsible"
            label="Ответственные"
            members={data.members}
            mayEdit={mayAssign}
          />
          <TagsField {...picker('tags')} mayEdit={mayEdit} />
          {sideSections.map((Part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a constant list
            <Part key={at} {...section} />
          ))}
          <TaskFacts task={task} />
        </aside>
      </div>
      {state.conflict && (
        <ConflictDialog
          entity={Task}
          id={card.task.id}
          conflict={state.conflict.conflict}
          onResolve={(choices) => draft.resolve(choices)}
        />
      )}
    </>
  )
}

/** Fields of a saved task for the card. */
const pick = ({ _version, name, importance, isArchive, dateEnd, ...task }: TaskRow) => ({
  _version,
  name,
  importance,
  isCompleted: task.isCompleted,
  isWaitCheck: task.isWaitCheck,
  isNeedChange: task.isNeedChange,
  dateWorkStart: task.dateWorkStart,
  isArchive,
  dateEnd,
})
