import { CloseButton, Select, Tabs } from '@mantine/core'
import { TaskFile } from '@ordinator/model/areas/tasks/file'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import { IconArchive, IconArchiveOff, IconLink, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Attachments } from '#areas/files/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { useRecordTitle } from '#base/title.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { CardField, CardPicker } from '#kit/CardField.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { inkOn } from '#kit/color.ts'
import { copyLink } from '#kit/copyLink.ts'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { NamedIcon } from '#kit/NamedIcon.tsx'
import { notify } from '#kit/notify.tsx'
import classes from '#kit/openCard.module.css'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { DraftName, DraftNotice } from '#records/DraftHead.tsx'
import { richText } from '#records/fields/richText.tsx'
import { ConflictDialog } from '#records/form/ConflictDialog.tsx'
import { invalidateRecords, recordKeys } from '#records/keys.ts'
import { useRecordDraft } from '#records/recordDraft.ts'
import { SaveState } from '#records/SaveState.tsx'
import type { BoardStore } from '../board/boardStore.ts'
import { cardPath } from '../board/CardActions.tsx'
import { cardMenu } from '../board/menus.ts'
import type { BoardData, BoardRights } from '../board/useBoardData.ts'
import type { Card } from '../cards.ts'
import { Importance } from '../Importance.tsx'
import { PeoplePicker } from '../PeoplePicker.tsx'
import type { MemberRow } from '../people.ts'
import { TagPicker } from '../TagPicker.tsx'
import { type PeopleKind, useTaskParts } from '../taskParts.ts'
import { Activity } from './Activity.tsx'
import type { FullCard, TaskRow } from './fullCard.ts'
import { ParentTasks } from './ParentTasks.tsx'
import { mainSections, sideSections, stateSections } from './sections.ts'
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

  const parts = useTaskParts(store)
  const [dialog, setDialog] = useState<ReactNode>()
  const [picking, setPicking] = useState<PeopleKind | 'tags'>()
  const mayEdit = rights.task('edit', task)
  const mayAssign = rights.task('assign', task)
  const mayDelete = rights.task('delete', task)
  const shown = { ...task, ...state.changes }
  const columns = data.columns.data?.items ?? []
  const archived = card.isArchive || task.isArchive

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

  const people = (kind: PeopleKind, label: string) => (
    <CardField label={label}>
      <div className={classes.chips}>
        {task[kind].map((person) => (
          <span key={person.id} className={classes.chip}>
            <UserAvatar user={person.member?.user ?? {}} size={22} />
            <UserLink user={person.member?.user ?? {}} className={classes.chipText} />
            {mayAssign && (
              <CloseButton
                size="xs"
                aria-label={`Убрать: ${personName(person.member?.user ?? {})}`}
                onClick={() => void parts.togglePerson(card, kind, memberOf(data.members, person))}
              />
            )}
          </span>
        ))}
        {mayAssign && (
          <CardPicker
            label={label}
            opened={picking === kind}
            onChange={(opened) => setPicking(opened ? kind : undefined)}
          >
            <PeoplePicker
              label={label}
              members={data.members}
              chosen={task[kind].map((p) => p.idMember)}
              onToggle={(member) => void parts.togglePerson(card, kind, member)}
            />
          </CardPicker>
        )}
        {!mayAssign && task[kind].length === 0 && <span className={classes.nothing}>Не назначены</span>}
      </div>
    </CardField>
  )

  return (
    <>
      <div className={classes.top}>
        <Select
          size="sm"
          className={classes.column}
          aria-label="Колонка"
          disabled={!rights.drag}
          data={columns.map((c) => ({ value: String(c.id), label: c.name }))}
          value={String(card.idColumn)}
          onChange={(value) => value && Number(value) !== card.idColumn && toColumn(Number(value))}
        />
        <SaveState state={state} onRetry={() => void draft.flush()} />
        <div className={classes.topActions}>
          <PrintMenu entity="tasks-management/tasks" id={task.id} variant="subtle" />
          <IconButton
            icon={IconLink}
            label="Скопировать ссылку"
            onClick={() => void copyLink(cardPath(store.scope.idBoard, card.id), 'Ссылка на задачу')}
          />
          <ActionMenu label="Действия с задачей" width={220}>
            <MenuItem
              label={archived ? 'Вернуть из архива' : 'В архив'}
              disabled={!mayEdit}
              icon={archived ? IconArchiveOff : IconArchive}
              onClick={() => {
                void store.archive(card.id, !archived)
                onClose()
              }}
            />
            {cardMenu.map((Items, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a constant list
              <Items key={at} card={card} data={data} rights={rights} store={store} show={setDialog} />
            ))}
            <MenuItem
              label="Удалить"
              danger
              disabled={!mayDelete}
              icon={IconTrash}
              onClick={() => {
                void store.remove(card.id)
                onClose()
              }}
            />
          </ActionMenu>
          <CloseButton aria-label="Закрыть" onClick={onClose} />
        </div>
      </div>

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
          {people('executors', 'Исполнители')}
          {people('responsible', 'Ответственные')}
          <CardField label="Метки">
            <div className={classes.chips}>
              {task.tags.map((tag) => (
                <span key={tag.id} className={classes.chip}>
                  {tag.icon ? (
                    <span className={classes.tagIcon} style={{ background: tag.color }}>
                      <NamedIcon name={tag.icon} size={12} color={inkOn(tag.color)} />
                    </span>
                  ) : (
                    <span className={classes.tagDot} style={{ background: tag.color }} />
                  )}
                  <span className={classes.chipText}>{tag.name}</span>
                  {mayEdit && (
                    <CloseButton
                      size="xs"
                      aria-label={`Убрать метку «${tag.name}»`}
                      onClick={() => void parts.toggleTag(card, tag)}
                    />
                  )}
                </span>
              ))}
              {mayEdit && (
                <CardPicker
                  label="Метки"
                  opened={picking === 'tags'}
                  onChange={(opened) => setPicking(opened ? 'tags' : undefined)}
                >
                  <TagPicker
                    idBoard={store.scope.idBoard}
                    tags={task.tags}
                    onToggle={(tag) => void parts.toggleTag(card, tag)}
                  />
                </CardPicker>
              )}
              {!mayEdit && task.tags.length === 0 && <span className={classes.nothing}>Нет</span>}
            </div>
          </CardField>
          {sideSections.map((Part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a constant list
            <Part key={at} {...section} />
          ))}
          <dl className={classes.facts}>
            <dt>Создал</dt>
            <dd>
              <UserLink user={task.user ?? {}} />
            </dd>
            <dt>Создана</dt>
            <dd className="tabular">{formatDateTime(task.dateCreate)}</dd>
            <dt>Изменена</dt>
            <dd className="tabular">{formatDateTime(task.dateChange)}</dd>
            {task.dateCompleted && (
              <>
                <dt>Завершена</dt>
                <dd className="tabular">{formatDateTime(task.dateCompleted)}</dd>
              </>
            )}
          </dl>
        </aside>
      </div>
      {dialog}
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

function memberOf(members: readonly MemberRow[], person: Card['task']['executors'][number]): MemberRow {
  return members.find((m) => m.id === person.idMember) ?? ({ ...person.member, id: person.idMember } as MemberRow)
}
