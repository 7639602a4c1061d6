import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { Task } from '@ordinator/model/areas/tasks/task'
import { formatDateTime } from '@ordinator/model/format'
import { useState } from 'react'
import type { Choices, Conflict } from '../../../records/conflict.ts'
import { plainText } from '../../../records/fields/richText.tsx'
import classes from './ConflictDialog.module.css'

/** Both versions of what two people have changed at once; the person chooses field by field. */
export function ConflictDialog({ conflict, onResolve }: { conflict: Conflict; onResolve: (choices: Choices) => void }) {
  const [choices, setChoices] = useState<Choices>({})
  const fields: Record<string, { options: { label: string }; kind: string }> = Task.fields
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size={720}
      title="Задачу уже изменил другой сотрудник"
    >
      <Stack>
        <Text c="dimmed">Выберите, что оставить. Ни один вариант не потерян, пока вы не решили.</Text>
        {conflict.both.map(({ field, mine, saved }) => {
          const label = fields[field]?.options.label ?? field
          return (
            <section key={field} aria-label={label}>
              <Group justify="space-between" mb={8}>
                <Text fw={600}>{label}</Text>
                <SegmentedControl
                  size="xs"
                  aria-label={`${label}: что оставить`}
                  data={[
                    { value: 'mine', label: 'Моё' },
                    { value: 'saved', label: 'Сохранённое' },
                  ]}
                  value={choices[field] ?? 'mine'}
                  onChange={(value) => setChoices({ ...choices, [field]: value as 'mine' | 'saved' })}
                />
              </Group>
              <div className={classes.both}>
                <Version
                  title="Моё"
                  chosen={(choices[field] ?? 'mine') === 'mine'}
                  text={wordsOf(fields[field]?.kind, mine)}
                />
                <Version
                  title="Сохранённое"
                  chosen={choices[field] === 'saved'}
                  text={wordsOf(fields[field]?.kind, saved)}
                />
              </div>
            </section>
          )
        })}
        <Group justify="flex-end">
          <Button onClick={() => onResolve(choices)}>Сохранить выбранное</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function Version({ title, text, chosen }: { title: string; text: string; chosen: boolean }) {
  return (
    <div className={classes.version} data-chosen={chosen || undefined}>
      <div className={classes.title}>{title}</div>
      <div className={classes.text}>{text || 'Пусто'}</div>
    </div>
  )
}

function wordsOf(kind: string | undefined, value: unknown): string {
  if (kind === 'richText') return plainText(value)
  if (kind === 'dateTime') return formatDateTime(value as string | null)
  if (typeof value === 'boolean') return value ? 'Да' : 'Нет'
  return String(value ?? '')
}
