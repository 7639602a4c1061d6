import { Progress } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { CheckList, CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import type { Row } from '@ordinator/model/entity'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Anchored } from '#kit/Anchored.tsx'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { isMoment } from '#kit/dateText.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { stepPlace, useSortableEnd } from '#kit/useSortable.ts'
import { useList } from '#records/reads.ts'
import { useMove, useRemove, useSave } from '#records/writes.ts'
import { PeoplePicker } from '../PeoplePicker.tsx'
import { AddLines } from './AddLines.tsx'
import { CheckListRow, type ItemActs, type ItemRow } from './CheckListRow.tsx'
import type { SectionProps } from './SectionProps.ts'
import { ThingFrame, ThingsState } from './ThingFrame.tsx'
import classes from './Things.module.css'
import { useItemToSubtask } from './useItemToSubtask.ts'
import { type Thing, useThings } from './useThings.ts'

const MAX_NAME = 255
const MAX_ITEM = 1000
/** Limit of items over all lists; page limit of the engine. */
const MAX_ITEMS = 500

type ListRow = Row<typeof CheckList>
type Lists = ReturnType<typeof useCheckLists>

export const useCheckLists = (idTask: number) => useThings<ListRow>(idTask, 'checklist', CheckList, 'Чек-лист удалён')

/** Check lists of a task; items are dragged within and between lists. */
export function CheckLists(props: SectionProps & { lists: Lists; fresh: number | undefined }) {
  const { data, card, mayEdit, lists, fresh } = props
  const { things } = lists
  const ids = things.map(({ record }) => record.id)
  const items = useList(
    CheckListItem,
    { filter: { idCheckList: { in: ids } }, expand: ['executor.user'], sort: 'order', limit: MAX_ITEMS },
    { enabled: ids.length > 0, forbidden: 'silent' },
  )
  const rows = items.data?.items ?? []
  const save = useSave(CheckListItem)
  const move = useMove(CheckListItem)
  const remove = useRemove(CheckListItem, { message: 'Пункт удалён' })
  const toSubtask = useItemToSubtask(card, data)
  const [picking, setPicking] = useState<{ what: 'executor' | 'date'; id: number; rect: DOMRect }>()
  const picked = picking && rows.find((row) => row.id === picking.id)

  const put = (id: number, idCheckList: number, place: { before?: number; after?: number; at?: 'last' }) => {
    const row = rows.find((one) => one.id === id)
    if (!row) return
    move.mutate({ id, ...place, ...(row.idCheckList === idCheckList ? {} : { to: { idCheckList } }) })
  }
  const acts: ItemActs = {
    check: (id, isCheck) => save.mutate({ id, isCheck }),
    rename: (id, name) => save.mutate({ id, name }),
    put,
    step: (row, step) => {
      const place = stepPlace(
        rows.filter((one) => one.idCheckList === row.idCheckList),
        row.id,
        step,
      )
      if (place) put(row.id, row.idCheckList, place)
    },
    pick: (what, id, rect) => setPicking({ what, id, rect }),
    toSubtask: (row) => void toSubtask(row),
    remove: (id) => remove.mutate(id),
  }
  return (
    <>
      <ThingsState pending={lists.pending && things.length === 0} error={lists.error} retry={lists.retry} />
      {things.map((thing, at) => (
        <OneList
          key={thing.record.id}
          {...props}
          thing={thing}
          all={things}
          at={at}
          fresh={fresh === thing.record.id}
          items={rows.filter((row) => row.idCheckList === thing.record.id)}
          acts={acts}
          mayEdit={mayEdit}
        />
      ))}
      <Anchored
        rect={picking?.what === 'executor' ? picking.rect : undefined}
        onClose={() => setPicking(undefined)}
        label="Исполнитель пункта"
      >
        {picked && (
          <PeoplePicker
            label="Исполнитель пункта"
            members={data.members}
            chosen={picked.idExecutor ? [picked.idExecutor] : []}
            onToggle={(member) => {
              const off = picked.idExecutor === member.id
              save.mutate({ id: picked.id, idExecutor: off ? null : member.id })
              setPicking(undefined)
            }}
          />
        )}
      </Anchored>
      <Anchored
        rect={picking?.what === 'date' ? picking.rect : undefined}
        onClose={() => setPicking(undefined)}
        label="Срок пункта"
      >
        {picked && (
          <DueEditor
            value={picked.dateEnd}
            onSave={(dateEnd) => {
              setPicking(undefined)
              if (dateEnd !== picked.dateEnd) save.mutate({ id: picked.id, dateEnd })
            }}
          />
        )}
      </Anchored>
    </>
  )
}

function DueEditor({ value, onSave }: { value: string | null; onSave: (value: string | null) => void }) {
  const [date, setDate] = useState(value)
  const wrong = date !== null && !isMoment(date)
  return (
    <VStack
      component="form"
      gap={12}
      p={12}
      onSubmit={(event) => {
        event.preventDefault()
        if (!wrong) onSave(date)
      }}
    >
      <DateTimeField label="Срок пункта" defaultTime="18:00" value={date} onChange={setDate} />
      <HStack align="stretch" wrap>
        <ActionButton label="Сохранить" type="submit" size="compact-sm" disabled={wrong} />
        {value && <ActionButton label="Убрать срок" size="compact-sm" variant="default" onClick={() => onSave(null)} />}
      </HStack>
    </VStack>
  )
}

interface OneListProps extends SectionProps {
  thing: Thing<ListRow>
  all: Thing<ListRow>[]
  at: number
  fresh: boolean
  items: ItemRow[]
  acts: ItemActs
  lists: Lists
}

function OneList({ thing, all, at, fresh, items, acts, lists, mayEdit, data }: OneListProps) {
  const { record } = thing
  const [hides, setHides] = useLocalStorage({ key: `check-list-hides-${record.id}`, defaultValue: false })
  const save = useSave(CheckListItem)
  const end = useSortableEnd<HTMLDivElement>(
    'check-list-items',
    (id) => acts.put(id, record.id, { at: 'last' }),
    !mayEdit,
  )
  const done = items.filter((item) => item.isCheck).length
  const shown = hides ? items.filter((item) => !item.isCheck) : items
  return (
    <ThingFrame
      thing={thing}
      kind="Чек-лист"
      maxName={MAX_NAME}
      mayEdit={mayEdit}
      // Focuses the first item; the list keeps its default name.
      fresh={false}
      isFirst={at === 0}
      isLast={at === all.length - 1}
      onName={(name) => lists.change(record.id, { name })}
      onStep={(step) => lists.step(thing, step)}
      onPut={lists.put}
      onRemove={() => lists.remove(thing)}
      actions={
        done > 0 && (
          <ActionButton
            label={hides ? `Показать выполненные (${done})` : 'Скрыть выполненные'}
            size="compact-xs"
            variant="subtle"
            color="gray"
            icon={hides ? IconEye : IconEyeOff}
            onClick={() => setHides(!hides)}
          />
        )
      }
    >
      {items.length > 0 && (
        <HStack c="dimmed" fz={12} h={20}>
          <span className="tabular">
            {done}/{items.length}
          </span>
          <Progress
            size={4}
            value={(done / items.length) * 100}
            aria-label={`Выполнено ${done} из ${items.length}`}
            style={{ flex: 1 }}
          />
        </HStack>
      )}
      <ul aria-label={`Пункты: ${record.name}`}>
        {shown.map((item, index) => (
          <CheckListRow
            key={item.id}
            item={item}
            acts={acts}
            mayEdit={mayEdit}
            mayTick={mayEdit || item.executor?.idUser === data.idUser}
            isFirst={index === 0}
            isLast={index === shown.length - 1}
            others={all.filter((one) => one.record.id !== record.id).map((one) => one.record)}
          />
        ))}
      </ul>
      {hides && shown.length === 0 && items.length > 0 && (
        <HStack component="p" gap={6} c="dimmed">
          Все пункты выполнены
        </HStack>
      )}
      {mayEdit && (
        <div ref={end.ref} className={classes.end} data-over={end.over || undefined}>
          <AddLines
            label={`Новый пункт: ${record.name}`}
            placeholder="Добавить пункт"
            maxLength={MAX_ITEM}
            autoFocus={fresh}
            onAdd={(name) => save.mutateAsync({ idCheckList: record.id, name })}
          />
        </div>
      )}
      {!mayEdit && items.length === 0 && (
        <HStack component="p" gap={6} c="dimmed">
          Пунктов нет
        </HStack>
      )}
    </ThingFrame>
  )
}
