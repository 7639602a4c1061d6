import { Group, Select, SimpleGrid, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { Board, endActions, linkedColumns } from '@ordinator/model/areas/tasks/board'
import { checkBody } from '@ordinator/model/check'
import { messages } from '@ordinator/model/messages'
import { palette } from '@ordinator/model/palette'
import { useState } from 'react'
import { useDraft } from '#base/draft.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ColorField } from '#kit/ColorField.tsx'
import { IconPicker } from '#kit/IconPicker.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { useSave } from '#records/writes.ts'
import type { BoardRow, ColumnRow } from '../board/useBoardData.ts'

const MAX_NAME = 64
const MAX_DESCRIPTION = 1000

interface Props {
  /** Absent: a new one. */
  board?: BoardRow
  columns?: readonly ColumnRow[]
  onClose: () => void
  onCreated?: (board: BoardRow) => void
}

type Values = Pick<
  BoardRow,
  | 'name'
  | 'description'
  | 'icon'
  | 'color'
  | 'isPublic'
  | 'approvedAllChildrenTasks'
  | 'timeArchiveTaskCompleted'
  | (typeof linkedColumns)[number]
>

const linkLabels = Object.fromEntries(linkedColumns.map((link) => [link, Board.fields[link].options.label]))

/** Form of a workspace. */
export default function BoardForm({ board, columns = [], onClose, onCreated }: Props) {
  const save = useSave(Board, { toast: false })
  // The draft of a new workspace survives closing the dialog.
  const draft = useDraft<Values>(board ? undefined : `${Board.path}:new`)
  const [values, setValues] = useState<Values>(() => ({ ...blank, ...(board ? pick(board) : draft.found?.value) }))
  const change = (part: Partial<Values>) => {
    const next = { ...values, ...part }
    setValues(next)
    draft.keep(next)
  }
  const run = async () => {
    const row = await save.mutateAsync(
      board ? { ...changed(values, board), id: board.id, _version: board._version } : created(values),
    )
    if (!board) draft.drop()
    onClose()
    onCreated?.(row)
  }
  const length = [...values.name].length
  const body = board ? changed(values, board) : created(values)
  const wrong = checkBody(Board, body, board ? 'update' : 'create').errors ?? []
  return (
    <ActionDialog
      title={board ? 'Настройки пространства' : 'Новое пространство'}
      size={560}
      action={board ? 'Сохранить' : 'Создать'}
      disabled={length > MAX_NAME}
      faults={Object.fromEntries(wrong.map(({ field, message }) => [field, message]))}
      run={run}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <TextInput
            label="Название"
            withAsterisk
            value={values.name}
            error={length > MAX_NAME ? messages.maxLength(MAX_NAME) : errorOf('name')}
            onChange={(event) => change({ name: event.currentTarget.value })}
            rightSectionWidth={60}
            rightSection={
              <Text
                size="xs"
                c={length > MAX_NAME ? 'var(--mantine-color-error)' : 'dimmed'}
                className="tabular"
                aria-hidden
              >
                {length}/{MAX_NAME}
              </Text>
            }
          />
          <Textarea
            label="Описание"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={MAX_DESCRIPTION}
            value={values.description ?? ''}
            error={errorOf('description')}
            onChange={(event) => change({ description: event.currentTarget.value || null })}
          />
          <Group align="flex-start" gap="lg">
            <IconPicker label="Значок" value={values.icon} color={values.color} onChange={(icon) => change({ icon })} />
            <ColorField
              label="Цвет"
              value={values.color}
              error={errorOf('color')}
              onChange={(color) => change({ color })}
            />
          </Group>
          <Switch
            label={Board.fields.isPublic.options.label}
            description={Board.fields.isPublic.options.help}
            checked={values.isPublic}
            onChange={(event) => change({ isPublic: event.currentTarget.checked })}
          />
          {board && columns.length > 0 && (
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <Select
                label="Когда закрыты все подзадачи"
                data={Object.entries(endActions).map(([value, label]) => ({ value, label }))}
                value={values.approvedAllChildrenTasks}
                onChange={(value) => change({ approvedAllChildrenTasks: value as Values['approvedAllChildrenTasks'] })}
              />
              <NumberField
                label="Архив завершённых, дней"
                description="0 — не архивировать"
                value={values.timeArchiveTaskCompleted}
                error={errorOf('timeArchiveTaskCompleted')}
                onChange={(value) => change({ timeArchiveTaskCompleted: (value ?? 0) as number })}
              />
              {linkedColumns.map((link) => (
                <Select
                  key={link}
                  label={linkLabels[link]}
                  placeholder="Не задана"
                  clearable
                  data={columns.map((c) => ({ value: String(c.id), label: c.name }))}
                  value={values[link] ? String(values[link]) : null}
                  error={errorOf(link)}
                  onChange={(value) => change({ [link]: value ? Number(value) : null } as Partial<Values>)}
                />
              ))}
            </SimpleGrid>
          )}
        </>
      )}
    </ActionDialog>
  )
}

const blank: Values = {
  name: '',
  description: null,
  icon: 'kanban',
  color: palette[1]?.value ?? '#0b7a70',
  isPublic: false,
  approvedAllChildrenTasks: 'none',
  timeArchiveTaskCompleted: 0,
  idColumnNew: null,
  idColumnWork: null,
  idColumnWait: null,
  idColumnCompleted: null,
  idColumnExpired: null,
}

const names = Object.keys(blank) as (keyof Values)[]

const pick = (board: BoardRow): Values => Object.assign({}, ...names.map((name) => ({ [name]: board[name] })))

const changed = (values: Values, board: BoardRow): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== board[name as keyof Values]))

const created = ({ name, description, icon, color, isPublic }: Values) => ({ name, description, icon, color, isPublic })
