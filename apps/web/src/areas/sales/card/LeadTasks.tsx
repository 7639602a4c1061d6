import { Anchor, CloseButton, Group, Text, TextInput } from '@mantine/core'
import { LeadTask } from '@ordinator/model/areas/sales/lead'
import { Board, type BoardColumn } from '@ordinator/model/areas/tasks/board'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import { IconLock, IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { records, recordsWith } from '#base/client.ts'
import { PageLink } from '#base/PageLink.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { formatEnd } from '#kit/clock.ts'
import { Block, HStack, Tiles } from '#kit/Stacks.tsx'
import { AJAX_LIMIT, type AjaxOption } from '#kit/useAjaxOptions.ts'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList, useRecord } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import type { FullLead } from './fullLead.ts'
import classes from './Lead.module.css'
import { Section } from './Section.tsx'

type Linked = Row<typeof LeadTask> & {
  assigned: (Row<typeof Assigned> & { task: Row<typeof Task> | null; column: Row<typeof BoardColumn> | null }) | null
}

interface Props {
  lead: FullLead
  mayEdit: boolean
}

/** Tasks of the deal: created here, or linked. */
export function LeadTasks({ lead, mayEdit }: Props) {
  const sees = useCan('view', Assigned)
  const [making, setMaking] = useState(false)
  const list = useList(
    LeadTask,
    { filter: { idLead: lead.id }, expand: sees ? ['assigned.task', 'assigned.column'] : [], limit: 200 },
    { forbidden: 'silent' },
  )
  const links = list.data?.items ?? []
  const save = useSave(LeadTask)
  const remove = useRemove(LeadTask, { message: 'Задача больше не связана со сделкой' })
  return (
    <Section
      title="Задачи"
      count={links.length}
      actions={
        mayEdit &&
        sees &&
        !making && (
          <ActionButton
            label="Задача"
            size="compact-sm"
            variant="default"
            icon={IconPlus}
            onClick={() => setMaking(true)}
          />
        )
      }
    >
      {list.isSuccess && links.length === 0 && !making && <Text c="dimmed">Задачи не назначены</Text>}
      {!sees && links.length > 0 && (
        <Text c="dimmed">
          <IconLock size={14} aria-hidden /> У вас нет права смотреть задачи
        </Text>
      )}
      {sees && (
        <ul className={classes.list}>
          {links.map((link) => (
            <HStack key={link.id} component="li" framed pl={12} pr={4} py={4} mih={36}>
              <Text component="div" miw={0} flex={1} className="breaks">
                <TaskName link={link} />
              </Text>
              {mayEdit && (
                <CloseButton
                  size="sm"
                  aria-label={`Убрать задачу: ${link.assigned?.task?.name ?? link.id}`}
                  onClick={() => remove.mutate(link.id)}
                />
              )}
            </HStack>
          ))}
        </ul>
      )}
      {making ? (
        <NewTask lead={lead} onDone={() => setMaking(false)} />
      ) : (
        mayEdit &&
        sees && (
          <div className={classes.add}>
            <AjaxSelect
              size="xs"
              aria-label="Связать с задачей"
              placeholder="Связать с задачей"
              load={async (text, signal) =>
                (await findTasks(text, signal)).filter(
                  ({ value }) => !links.some((link) => link.idTaskAssignColumn === value),
                )
              }
              value={null}
              onChange={(option) => option && save.mutate({ idLead: lead.id, idTaskAssignColumn: option.value })}
            />
          </div>
        )
      )}
    </Section>
  )
}

function TaskName({ link: { idTaskAssignColumn, assigned } }: { link: Linked }) {
  if (!assigned?.task) return <Muted>Задача вам не видна или удалена</Muted>
  const { task, column } = assigned
  return (
    <>
      <Anchor
        inherit
        td={task.isCompleted ? 'line-through' : undefined}
        renderRoot={(props) => (
          <PageLink {...props} page="tasks" search={{ board: column?.idBoard, assignedColumn: idTaskAssignColumn }} />
        )}
      >
        {task.name}
      </Anchor>
      <HStack component="span" gap="2px 12px" align="stretch" wrap c="dimmed" fz="xs" lh="xs">
        <span>{column?.name}</span>
        <span className="tabular">до {formatEnd(task.dateEnd)}</span>
      </HStack>
    </>
  )
}

const quiet = recordsWith({ forbidden: 'silent' })

async function findTasks(text: string, signal: AbortSignal): Promise<AjaxOption[]> {
  const { items } = await quiet.list(
    Assigned,
    {
      filter: { 'task.name': { ilike: text } },
      expand: ['task', 'column'],
      limit: AJAX_LIMIT,
    },
    { signal },
  )
  return items.map(({ id, task, column }) => ({ value: id, label: task.name, hint: column?.name }))
}

/** New task by name and workspace, in its column for new ones. */
function NewTask({ lead, onDone }: { lead: FullLead; onDone: () => void }) {
  const cache = useQueryClient()
  const [name, setName] = useState(lead.nextStep ?? '')
  const [idBoard, setIdBoard] = useState<number | null>(null)
  const board = useRecord(Board, idBoard ?? undefined, {}, { forbidden: 'silent' })
  const [errors, setErrors] = useState<{ name?: string; board?: string }>({})
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const idColumn = board.data?.idColumnNew
    const wrong = {
      ...(name.trim() ? {} : { name: 'Введите название' }),
      ...(idBoard === null
        ? { board: 'Выберите пространство' }
        : idColumn
          ? {}
          : { board: 'В этом пространстве нет колонки для новых задач' }),
    }
    setErrors(wrong)
    if (Object.keys(wrong).length || !idColumn) return
    setBusy(true)
    try {
      const task = await records.create(Task, { name: name.trim(), idColumn })
      const { items } = await records.list(Assigned, { filter: { idTask: task.id, idColumn }, limit: 1 })
      if (items[0]) await records.create(LeadTask, { idLead: lead.id, idTaskAssignColumn: items[0].id })
      await Promise.all([invalidateRecords(cache, LeadTask.path), invalidateRecords(cache, Assigned.path)])
      onDone()
    } catch (error) {
      const byField = error instanceof ApiError ? error.byField : {}
      setErrors(byField.name ? { name: byField.name } : { board: errorMessage(error) })
      setBusy(false)
    }
  }
  return (
    <Block
      component="form"
      framed
      mt={8}
      p={12}
      bg="var(--ord-canvas)"
      onSubmit={(event) => void submit(event)}
      noValidate
      aria-label="Новая задача сделки"
    >
      <Tiles tile={180} fit gap={12}>
        <TextInput
          label="Задача"
          withAsterisk
          data-autofocus
          maxLength={255}
          value={name}
          error={errors.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RefSelect
          to={Board.path}
          label="Пространство"
          required
          value={idBoard}
          error={errors.board}
          onChange={setIdBoard}
        />
      </Tiles>
      <Group justify="flex-end" gap={8} mt={12}>
        <ActionButton label="Отмена" size="compact-md" variant="default" onClick={onDone} />
        <ActionButton label="Создать задачу" size="compact-md" type="submit" loading={busy || board.isLoading} />
      </Group>
    </Block>
  )
}
