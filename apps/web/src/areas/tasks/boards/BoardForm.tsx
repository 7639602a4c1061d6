import {
  Button,
  Group,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { Board, endActions, linkedColumns } from '@ordinator/model/areas/tasks/board'
import { checkBody } from '@ordinator/model/check'
import { messages } from '@ordinator/model/messages'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../../base/apiError.ts'
import { ColorField } from '../../../kit/ColorField.tsx'
import { palette } from '../../../kit/color.ts'
import { IconPicker } from '../../../kit/IconPicker.tsx'
import { useSave } from '../../../records/writes.ts'
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

/** What was typed for a new workspace stays while the page is open, whichever way the dialog was closed. */
let unfinished: Values | undefined

/** Creates or changes a workspace. */
export default function BoardForm({ board, columns = [], onClose, onCreated }: Props) {
  const save = useSave(Board, { toast: false })
  const [values, setValues] = useState<Values>(() =>
    board ? { ...blank, ...pick(board) } : (unfinished ?? { ...blank }),
  )
  const [errors, setErrors] = useState<Record<string, string>>({})
  const change = (part: Partial<Values>) => {
    const next = { ...values, ...part }
    setValues(next)
    if (!board) unfinished = next
    setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => !(name in part))))
  }
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (save.isPending) return
    const body = board ? changed(values, board) : created(values)
    const checked = checkBody(Board, body, board ? 'update' : 'create')
    if (checked.errors) return setErrors(Object.fromEntries(checked.errors.map((e) => [e.field, e.message])))
    save.mutate(board ? ({ id: board.id, _version: board._version, ...body } as never) : (body as never), {
      onSuccess: (row) => {
        if (!board) unfinished = undefined
        onClose()
        onCreated?.(row)
      },
      onError: (error) => setErrors(error instanceof ApiError && error.fields ? error.byField : { '': error.message }),
    })
  }
  const length = [...values.name].length
  const nameError = length > MAX_NAME ? messages.maxLength(MAX_NAME) : errors.name
  return (
    <Modal opened onClose={onClose} title={board ? 'Настройки пространства' : 'Новое пространство'} size={560}>
      <form
        onSubmit={submit}
        onKeyDown={(event) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && submit()}
      >
        <Stack>
          <TextInput
            label="Название"
            withAsterisk
            data-autofocus
            value={values.name}
            error={nameError}
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
            error={errors.description}
            onChange={(event) => change({ description: event.currentTarget.value || null })}
          />
          <Group align="flex-start" gap="lg">
            <IconPicker label="Значок" value={values.icon} color={values.color} onChange={(icon) => change({ icon })} />
            <ColorField
              label="Цвет"
              value={values.color}
              error={errors.color}
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
                allowDeselect={false}
                data={Object.entries(endActions).map(([value, label]) => ({ value, label }))}
                value={values.approvedAllChildrenTasks}
                onChange={(value) => change({ approvedAllChildrenTasks: value as Values['approvedAllChildrenTasks'] })}
              />
              <NumberInput
                label="Архив завершённых, дней"
                description="0 — не архивировать"
                min={0}
                max={3650}
                allowDecimal={false}
                value={values.timeArchiveTaskCompleted}
                error={errors.timeArchiveTaskCompleted}
                onChange={(value) => change({ timeArchiveTaskCompleted: Number(value) || 0 })}
              />
              {linkedColumns.map((link) => (
                <Select
                  key={link}
                  label={linkLabels[link]}
                  placeholder="Не задана"
                  clearable
                  data={columns.map((c) => ({ value: String(c.id), label: c.name }))}
                  value={values[link] ? String(values[link]) : null}
                  error={errors[link]}
                  onChange={(value) => change({ [link]: value ? Number(value) : null } as Partial<Values>)}
                />
              ))}
            </SimpleGrid>
          )}
          {errors[''] && (
            <Text c="var(--mantine-color-error)" role="alert">
              {errors['']}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Отмена
            </Button>
            <Button type="submit" loading={save.isPending} disabled={length > MAX_NAME}>
              {board ? 'Сохранить' : 'Создать'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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

const pick = (board: BoardRow): Values =>
  Object.fromEntries(Object.keys(blank).map((name) => [name, board[name as keyof Values]])) as unknown as Values

const changed = (values: Values, board: BoardRow) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== board[name as keyof Values]))

const created = ({ name, description, icon, color, isPublic }: Values) => ({ name, description, icon, color, isPublic })
