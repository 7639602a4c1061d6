import { Group, Menu, Stack } from '@mantine/core'
import { mayMakeTemplates } from '@ordinator/model/areas/tasks/rights'
import {
  IconArchive,
  IconArrowsMove,
  IconCalendarEvent,
  IconFlag,
  IconTag,
  IconTemplate,
  IconTrash,
  IconUserPlus,
  type TablerIcon,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { isMoment } from '#kit/dateText.ts'
import { isNamed } from '#kit/isNamed.ts'
import type { BulkAction } from '#records/table/BulkBar.tsx'
import { BulkPanel } from '#records/table/BulkPanel.tsx'
import type { BoardData, BoardRights } from '../board/useBoardData.ts'
import type { Card } from '../cards.ts'
import { importanceWord } from '../importance.ts'
import { PeoplePicker } from '../PeoplePicker.tsx'
import { TagPicker } from '../TagPicker.tsx'
import { useBulkChanges } from './useBulkChanges.ts'

/** Reasons for unchanged tasks. */
const NO_RIGHT = {
  edit: 'нет права изменять задачу',
  assign: 'нет права назначать исполнителей',
  delete: 'нет права удалять задачу',
} as const

/** Bulk actions on cards, with undo. `changed` gets the changed tasks. */
export function useBulkActions(
  data: BoardData,
  rights: BoardRights,
  changed: (tasks: number[]) => void,
): BulkAction<Card>[] {
  const columns = data.columns.data?.items ?? []
  const keeps = (right: 'edit' | 'assign' | 'delete') => (card: Card) =>
    rights.task(right, card.task) ? undefined : NO_RIGHT[right]

  const { set, togglePerson, toggleTag, move, archive, remove, toTemplates } = useBulkChanges(changed)

  const panel = (
    key: string,
    label: string,
    icon: TablerIcon,
    right: 'edit' | 'assign',
    body: (cards: Card[], close: () => void) => ReactNode,
  ): BulkAction<Card> => ({
    key,
    label,
    icon,
    keeps: keeps(right),
    render: (cards, allowed, kept) => (
      <BulkPanel label={label} icon={icon} allowed={allowed} hint={kept}>
        {(close) => body(cards, close)}
      </BulkPanel>
    ),
  })

  return [
    panel('importance', 'Важность', IconFlag, 'edit', (cards, close) => (
      <div>
        {[10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((importance) => (
          <ActionButton
            label={`${importance}, ${importanceWord(importance)}`}
            key={importance}
            variant="subtle"
            color="gray"
            fullWidth
            justify="flex-start"
            onClick={() => {
              void set(cards, 'Важность изменена', { importance })
              close()
            }}
          />
        ))}
      </div>
    )),
    panel('dates', 'Срок', IconCalendarEvent, 'edit', (cards, close) => (
      <Dates
        onSave={(dateEnd) => {
          void set(cards, dateEnd ? 'Срок изменён' : 'Срок снят', { dateEnd })
          close()
        }}
      />
    )),
    panel('people', 'Исполнители', IconUserPlus, 'assign', (cards) => (
      <PeoplePicker
        label="Исполнители выбранных"
        members={data.members}
        chosen={data.members
          .map((m) => m.id)
          .filter((id) => cards.every((card) => card.task.executors.some((p) => p.idMember === id)))}
        onToggle={(member) => void togglePerson(cards, member)}
      />
    )),
    panel('tags', 'Метки', IconTag, 'edit', (cards) => (
      <TagPicker
        idBoard={columns[0]?.idBoard ?? 0}
        tags={(cards[0]?.task.tags ?? []).filter((tag) =>
          cards.every((card) => card.task.tags.some(isNamed(tag.name))),
        )}
        onToggle={(tag) => void toggleTag(cards, tag)}
      />
    )),
    {
      key: 'move',
      label: 'Колонка',
      icon: IconArrowsMove,
      allowed: () => rights.drag,
      render: (cards, allowed) => (
        <Menu position="top-start" width={220}>
          <Menu.Target>
            <ActionButton label="Колонка" variant="light" disabled={!allowed} icon={IconArrowsMove} />
          </Menu.Target>
          <Menu.Dropdown>
            {columns.map((column) => (
              <Menu.Item key={column.id} onClick={() => void move(cards, column.id, column.name)}>
                {column.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ),
    },
    {
      key: 'templates',
      label: 'В шаблоны',
      icon: IconTemplate,
      allowed: () => mayMakeTemplates(rights.on),
      run: (cards) => toTemplates(cards),
    },
    { key: 'archive', label: 'Архив', icon: IconArchive, keeps: keeps('edit'), run: archive },
    { key: 'delete', label: 'Удалить', icon: IconTrash, danger: true, keeps: keeps('delete'), run: remove },
  ]
}

function Dates({ onSave }: { onSave: (dateEnd: string | null) => void }) {
  const [value, setValue] = useState<string | null>(null)
  return (
    <Stack gap={12}>
      <DateTimeField label="Новый срок" value={value} onChange={setValue} defaultTime="18:00" />
      <Group justify="flex-end" gap={8}>
        <ActionButton label="Снять срок" reverse variant="subtle" color="gray" onClick={() => onSave(null)} />
        <ActionButton label="Сохранить" disabled={!isMoment(value)} onClick={() => onSave(value)} />
      </Group>
    </Stack>
  )
}
