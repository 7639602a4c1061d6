import { Group, Select, Text, Textarea } from '@mantine/core'
import {
  nextOccurrence,
  type Repeat,
  type RepeatType,
  type RepeatUnit,
  repeatTypes,
  repeatUnits,
  wrongRepeat,
} from '@ordinator/model/areas/tasks/repeat'
import { Task } from '@ordinator/model/areas/tasks/task'
import { IconBell, IconBellPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { dayOf, formatDateTime, midnight, momentOf, today, zoneNow } from '#kit/clock.ts'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { isMoment } from '#kit/dateText.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import classes from '#kit/openCard.module.css'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useSave } from '#records/writes.ts'
import type { FullCard } from './fullCard.ts'
import own from './Reminder.module.css'
import type { SectionProps } from './SectionProps.ts'

type Values = Pick<
  FullCard['task'],
  | 'notificationDate'
  | 'notificationDescription'
  | 'notificationType'
  | 'notificationCustomRepeatType'
  | 'notificationCustomRepeatValue'
>

const SHOWN = 3

/** Reminder of the task, and its repetition. */
export function Reminder({ card, mayEdit }: SectionProps) {
  const { task } = card
  const [editing, setEditing] = useState(false)
  const save = useSave(Task)
  if (task.isTemplate || (!mayEdit && !task.notificationDate)) return null
  const drop = () => {
    const before = valuesOf(task)
    save.mutate(
      { id: task.id, notificationDate: null },
      { onSuccess: () => notify.undo('Напоминание убрано', () => save.mutate({ id: task.id, ...before })) },
    )
  }
  return (
    <section aria-label="Напоминание">
      <div className={classes.label}>Напоминание</div>
      {task.notificationDate ? (
        <HStack gap={4} align="flex-start">
          <button
            type="button"
            className={own.open}
            disabled={!mayEdit}
            aria-label={`Изменить напоминание: ${repeatText(task)}`}
            onClick={() => setEditing(true)}
          >
            <IconBell size={16} aria-hidden className={own.icon} />
            <span>
              <span className="tabular">{formatDateTime(task.notificationNext ?? task.notificationDate)}</span>
              <Fine lineClamp={3} className="breaks">
                {task.notificationNext ? repeatText(task) : 'Уже было'}
                {task.notificationDescription && ` · ${task.notificationDescription}`}
              </Fine>
            </span>
          </button>
          {mayEdit && <IconButton icon={IconX} size={28} label="Убрать напоминание" title="Убрать" onClick={drop} />}
        </HStack>
      ) : (
        <ActionButton
          label="Напомнить"
          size="compact-sm"
          variant="default"
          radius="xl"
          icon={IconBellPlus}
          onClick={() => setEditing(true)}
        />
      )}
      {editing && <ReminderForm task={task} onClose={() => setEditing(false)} />}
    </section>
  )
}

const valuesOf = (task: Values): Values => ({
  notificationDate: task.notificationDate,
  notificationDescription: task.notificationDescription,
  notificationType: task.notificationType,
  notificationCustomRepeatType: task.notificationCustomRepeatType,
  notificationCustomRepeatValue: task.notificationCustomRepeatValue,
})

/** 'Каждый месяц', 'Раз в 3 нед.': abbreviated units need no plural forms. */
function repeatText({ notificationType, notificationCustomRepeatType: unit, notificationCustomRepeatValue }: Values) {
  if (notificationType !== 'CUSTOM' || !unit) return repeatTypes[notificationType]
  return `Раз в ${notificationCustomRepeatValue} ${unitsShort[unit]}`
}

const unitsShort: Record<RepeatUnit, string> = { DAY: 'дн.', WEEK: 'нед.', MONTH: 'мес.', YEAR: 'г.' }

function ReminderForm({ task, onClose }: { task: FullCard['task']; onClose: () => void }) {
  const [values, setValues] = useState<Values>(() => ({
    ...valuesOf(task),
    notificationDate: task.notificationDate ?? tomorrowMorning(),
  }))
  const save = useSave(Task, { toast: false, optimistic: false })
  const set = (part: Partial<Values>) => setValues((now) => ({ ...now, ...part }))
  const wrong = Object.fromEntries(wrongRepeat(values).map(({ field, message }) => [field, message]))
  if (!isMoment(values.notificationDate)) wrong.notificationDate = 'Дата в формате ДД.ММ.ГГГГ ЧЧ:ММ'
  const repeats = values.notificationType !== 'ONCE'
  return (
    <ActionDialog
      title="Напоминание"
      size={440}
      action="Сохранить"
      faults={wrong}
      run={() => save.mutateAsync({ id: task.id, ...values })}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <DateTimeField
            label="Когда"
            defaultTime="09:00"
            value={values.notificationDate}
            error={errorOf('notificationDate')}
            onChange={(notificationDate) => set({ notificationDate })}
          />
          <Select
            label="Повторять"
            data={Object.entries(repeatTypes).map(([value, label]) => ({ value, label }))}
            value={values.notificationType}
            onChange={(type) =>
              set({
                notificationType: type as RepeatType,
                ...(type === 'CUSTOM' && !values.notificationCustomRepeatType
                  ? { notificationCustomRepeatType: 'WEEK', notificationCustomRepeatValue: 2 }
                  : {}),
              })
            }
          />
          {values.notificationType === 'CUSTOM' && (
            <Group grow align="flex-start">
              <NumberField
                label="Каждые"
                value={values.notificationCustomRepeatValue}
                error={errorOf('notificationCustomRepeatValue')}
                onChange={(value) => set({ notificationCustomRepeatValue: value as number | null })}
              />
              <Select
                label="Единица"
                data={Object.entries(repeatUnits).map(([value, label]) => ({ value, label }))}
                value={values.notificationCustomRepeatType}
                error={errorOf('notificationCustomRepeatType')}
                onChange={(unit) => set({ notificationCustomRepeatType: unit as RepeatUnit })}
              />
            </Group>
          )}
          <Textarea
            label="Текст"
            placeholder={task.name}
            autosize
            minRows={2}
            maxRows={5}
            maxLength={1000}
            value={values.notificationDescription ?? ''}
            error={errorOf('notificationDescription')}
            onChange={(event) => set({ notificationDescription: event.currentTarget.value || null })}
          />
          <Coming values={values} />
          {repeats && (
            <Text size="sm" c="dimmed">
              Если к этому времени задача завершена, она начнётся заново: новой, без отметок, со сроками этого повтора.
            </Text>
          )}
        </>
      )}
    </ActionDialog>
  )
}

/** Preview of the next occurrences, as of month ends. */
function Coming({ values }: { values: Values }) {
  const { notificationDate, notificationType } = values
  if (!isMoment(notificationDate) || wrongRepeat(values).length) return null
  const repeat: Repeat = {
    type: notificationType,
    date: notificationDate,
    timeZone: zoneNow(),
    unit: values.notificationCustomRepeatType,
    value: values.notificationCustomRepeatValue,
  }
  const coming: string[] = []
  for (let after = new Date(); coming.length < SHOWN; ) {
    const next = nextOccurrence(repeat, after)
    if (!next) break
    coming.push(formatDateTime(next.toISOString()))
    after = next
  }
  if (coming.length === 0)
    return (
      <Text size="sm" c="var(--mantine-color-error)">
        Это время уже прошло: напоминания не будет
      </Text>
    )
  if (notificationType === 'ONCE') return null
  return (
    <Text size="sm" c="dimmed" className="tabular">
      Ближайшие: {coming.join(', ')}
    </Text>
  )
}

function tomorrowMorning(): string {
  return momentOf(dayOf(midnight(today(), 1)), '09:00')
}
