import { Skeleton, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { mayMakeTemplates } from '@ordinator/model/areas/tasks/rights'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { IconPlus, IconTemplate, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { Dot, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useEndlessList } from '#records/reads.ts'
import { useRemove } from '#records/writes.ts'
import { useTasksAddress } from '../address.ts'
import type { BoardRights } from '../board/useBoardData.ts'
import { type Card, cardExpand } from '../cards.ts'
import { importanceColor, importanceWord } from '../importance.ts'
import { CreateFromTemplate } from './CreateFromTemplate.tsx'
import classes from './TemplatesPanel.module.css'

const PORTION = 50
const SEARCH_MS = 300

interface Props {
  idBoard: number
  columns: readonly { id: number; name: string }[]
  rights: BoardRights
  /** Column for new tasks; absent: the template's own. */
  idColumn?: number
  onClose: () => void
}

type Template = Omit<Card, 'task'> & {
  task: Row<typeof Task> & Card['task']
}

/** Templates of a workspace: create a task, edit, delete. */
export default function TemplatesPanel({ idBoard, columns, rights, idColumn, onClose }: Props) {
  const client = useQueryClient()
  const [, setAddress] = useTasksAddress()
  const [text, setText] = useState('')
  const [wanted] = useDebouncedValue(text.trim(), SEARCH_MS)
  const [making, setMaking] = useState<Template>()
  const [name, setName] = useState<string>()
  const list = useEndlessList(
    Assigned,
    {
      filter: {
        'task.isTemplate': true,
        // Subtasks of a template are shown inside it.
        not: { 'task.parentTasks.parentTask.isTemplate': true },
        'column.idBoard': idBoard,
        ...(wanted ? { 'task.name': { ilike: wanted } } : {}),
      },
      sort: '-id',
      limit: PORTION,
      expand: cardExpand,
    },
    { forbidden: 'silent' },
  )
  const items = list.items
  const refresh = () => void invalidateRecords(client, Assigned.path)
  const remove = useRemove(Task, { message: 'Шаблон удалён', onUndone: refresh })
  const open = (id: number) => {
    onClose()
    setAddress({ assignedColumn: id })
  }
  const create = async () => {
    const column = idColumn ?? columns[0]?.id
    if (!name?.trim() || !column) return
    try {
      const task = await records.create(Task, { name: name.trim(), isTemplate: true, idColumn: column })
      const { items: cards } = await records.list(Assigned, { filter: { idTask: task.id }, limit: 1 })
      if (cards[0]) open(cards[0].id)
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Ошибка создания шаблона' })
    }
  }
  const mayMake = mayMakeTemplates(rights.on)
  return (
    <SidePanel opened onClose={onClose} title="Шаблоны">
      <HStack align="stretch" wrap mb={12}>
        <SearchField
          flex="1 1 200px"
          aria-label="Поиск шаблона"
          placeholder="Название шаблона"
          value={text}
          onChange={setText}
        />
        {mayMake && name === undefined && (
          <ActionButton label="Новый шаблон" variant="light" icon={IconPlus} onClick={() => setName('')} />
        )}
      </HStack>
      {name !== undefined && (
        <HStack
          component="form"
          align="stretch"
          wrap
          mb={12}
          onSubmit={(event) => {
            event.preventDefault()
            void create()
          }}
        >
          <TextInput
            flex="1 1 200px"
            aria-label="Название нового шаблона"
            placeholder="Название нового шаблона"
            maxLength={255}
            value={name}
            autoFocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <ActionButton label="Создать" type="submit" disabled={!name.trim()} />
        </HStack>
      )}
      {list.isPending ? (
        <VStack aria-busy="true">
          {[1, 2, 3, 4].map((n) => (
            <Skeleton key={n} height={56} radius="md" />
          ))}
        </VStack>
      ) : list.isError && items.length === 0 ? (
        <ErrorState title="Шаблоны не загрузились" error={list.error} onRetry={() => void list.refetch()} />
      ) : items.length === 0 ? (
        <EmptyState
          icon={IconTemplate}
          title={wanted ? 'Таких шаблонов нет' : 'Шаблонов пока нет'}
          text={
            wanted
              ? 'Измените запрос.'
              : mayMake
                ? 'Откройте меню любой задачи и выберите «Сохранить как шаблон», или создайте шаблон здесь.'
                : 'Их создают те, кому дано право изменять шаблоны.'
          }
        />
      ) : (
        <ul>
          {items.map((card) => (
            <li key={card.id} className={classes.item}>
              <button type="button" className={classes.open} onClick={() => open(card.id)}>
                <Dot
                  mt={6}
                  color={importanceColor(card.task.importance)}
                  title={`Важность: ${importanceWord(card.task.importance)}`}
                />
                <VStack component="span" gap={0} miw={0}>
                  <Text span inherit className="breaks">
                    {card.task.name}
                  </Text>
                  <Fine truncate>{factsOf(card, columns)}</Fine>
                </VStack>
              </button>
              {rights.createTask && (
                <ActionButton label="Создать" size="compact-sm" variant="light" onClick={() => setMaking(card)} />
              )}
              {rights.task('delete', card.task) && (
                <IconButton
                  icon={IconTrash}
                  label={`Удалить шаблон «${card.task.name}»`}
                  title="Удалить"
                  onClick={() => remove.mutate(card.idTask, { onSettled: refresh })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <HStack gap={0} align="stretch" justify="center" p={8}>
          <ActionButton
            label="Показать ещё"
            variant="subtle"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          />
        </HStack>
      )}
      {making && (
        <CreateFromTemplate
          template={{ id: making.id, name: making.task.name, idColumn: idColumn ?? making.idColumn }}
          columns={columns}
          onClose={() => setMaking(undefined)}
          onCreated={onClose}
        />
      )}
    </SidePanel>
  )
}

/** Facts of a template: column, number of people, tags. */
function factsOf({ idColumn, task }: Template, columns: readonly { id: number; name: string }[]): string {
  const people = new Set([...task.executors, ...task.responsible].map((person) => person.idMember)).size
  return [
    columns.find((column) => column.id === idColumn)?.name,
    people > 0 && counted(people, ['человек', 'человека', 'человек']),
    task.tags.map((tag) => tag.name).join(', '),
  ]
    .filter(Boolean)
    .join(' · ')
}
